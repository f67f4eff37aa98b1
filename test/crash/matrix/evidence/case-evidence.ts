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

/** A request that the model's server received. */
export interface ModelRequestSeen {
  readonly status: number;
  readonly response_id: string | null;
  /** The tokens that the provider counts; null if it sent no count. */
  readonly usage: { readonly total_tokens: number } | null;
  readonly input: readonly { readonly type?: string; readonly role?: string; readonly call_id?: string }[];
}

/** A tool call as the effect server or tool server recorded it. */
export interface CallSeen {
  /** The call that this request was an attempt at. */
  readonly callKey: string;
  readonly idempotencyKey: string | null;
  readonly tookEffect: boolean;
}

/** The records of one execution, in the service and around it. */
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

/** All records of one case, collected when no process works on it any more. */
export interface CaseEvidence {
  /** The number of executions for the one submission that may have been sent twice. */
  readonly accepted: number;
  /** The execution that was hit. */
  readonly first: ExecutionEvidence;
  /** The execution that waited behind it in the same conversation. */
  readonly second: ExecutionEvidence;
  readonly messages: readonly {
    readonly role: string;
    readonly turn_number: number;
    readonly content: string;
  }[];
  readonly modelRequests: readonly ModelRequestSeen[];
  readonly webhookSecret: string;
}
