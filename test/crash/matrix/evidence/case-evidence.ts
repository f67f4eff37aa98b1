import type { ExecutionView } from '#libs/payloads';
import type { ReceivedWebhook } from '../../../support/services/webhook-receiver.js';

export interface JournalRow {
  readonly sequence: number;
  readonly epoch: number;
  readonly scope: string;
  readonly kind: string;
  readonly data: { readonly round?: number; readonly position?: number };
}

export interface StepRow {
  readonly scope: string;
  readonly round: number;
  readonly position: number;
  readonly tool_name: string;
  readonly status: string;
  readonly input: unknown;
  readonly output: unknown;
}

export interface UsageSeen {
  readonly scope: string;
  readonly round: number;
  readonly state: string;
  readonly response_id: string | null;
  readonly total_tokens: number | null;
}

export interface SeenEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
}

export interface DeliveryRow {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly body: string;
}

/** A request as the model's server saw it. */
export interface ModelRequestSeen {
  readonly status: number;
  readonly response_id: string | null;
  /** What the provider counts for it; null where it has said nothing. */
  readonly usage: { readonly total_tokens: number } | null;
  readonly input: readonly { readonly type?: string; readonly role?: string; readonly call_id?: string }[];
}

/** A call of a tool as whoever carries it out wrote it down. */
export interface CallSeen {
  /** Of the call that it is an attempt at. */
  readonly callKey: string;
  readonly idempotencyKey: string | null;
  readonly tookEffect: boolean;
}

/** What one execution left behind, in the service and around it. */
export interface ExecutionEvidence {
  readonly view: ExecutionView;
  readonly lostAttempts: number;
  readonly epoch: number;
  readonly journal: readonly JournalRow[];
  readonly steps: readonly StepRow[];
  readonly events: readonly SeenEvent[];
  readonly deliveries: readonly DeliveryRow[];
  readonly received: readonly ReceivedWebhook[];
  readonly calls: readonly CallSeen[];
}

/** Everything about one case, gathered when nothing moves any more. */
export interface CaseEvidence {
  /** How many executions there are for the one submission that was perhaps sent twice. */
  readonly accepted: number;
  /** The one that was hit. */
  readonly first: ExecutionEvidence;
  /** The one that waited behind it in the same conversation. */
  readonly second: ExecutionEvidence;
  readonly messages: readonly {
    readonly role: string;
    readonly turn_number: number;
    readonly content: string;
  }[];
  readonly modelRequests: readonly ModelRequestSeen[];
  readonly webhookSecret: string;
}
