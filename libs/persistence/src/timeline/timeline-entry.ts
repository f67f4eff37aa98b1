import type { ToolEffect } from '#libs/tooling';
import type { SwitchReason } from '#libs/agent-core';
import type { SettledStatus, WaitKind, WebhookEventType } from '#libs/payloads';
import type { WebhookDeliveryStatus } from '../entities/webhook-delivery.entity.js';
import type { AttemptEnd } from '../executions/attempt-record.js';

/** Fields of every entry. Times are ISO 8601 in UTC. */
interface EntryBase {
  /** The same for as long as the execution exists. */
  readonly id: string;
  /** `''` is the root, else the loop of a sub-agent. */
  readonly scope: string;
  /** The entry that this one belongs to; null at the top. */
  readonly parent_id: string | null;
  /** Null if it has not begun, or the time is unknown. */
  readonly started_at: string | null;
  /** Null if it has not ended, or the time is unknown. */
  readonly finished_at: string | null;
}

export interface AttemptEntry extends EntryBase {
  readonly kind: 'attempt';
  readonly started_at: string;
  readonly status: 'running' | 'ended';
  readonly number: number;
  readonly worker: string;
  /** Null while it runs, and where an older release ended it. */
  readonly end_reason: AttemptEnd | SettledStatus | null;
}

export interface ModelCallEntry extends EntryBase {
  readonly kind: 'model_call';
  readonly status: 'succeeded' | 'failed' | 'interrupted' | 'lost' | 'unknown';
  readonly purpose: string;
  readonly round: number | null;
  readonly try_number: number | null;
  readonly model: string | null;
  readonly input_tokens: number | null;
  readonly cached_input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cost_usd: string | null;
  readonly first_byte_ms: number | null;
  readonly error_code: string | null;
}

/** The scope goes on with a fallback model, or would have and has none that is usable. */
export interface ModelSwitchEntry extends EntryBase {
  readonly kind: 'model_switch';
  readonly started_at: string;
  readonly finished_at: string;
  readonly status: 'switched' | 'none_left';
  readonly round: number;
  /** Null if none is usable. */
  readonly model: string | null;
  readonly reason: SwitchReason;
}

export type ToolCallStatus = 'requested' | 'started' | 'succeeded' | 'failed' | 'refused' | 'outcome_unknown';

export interface ToolCallEntry extends EntryBase {
  readonly kind: 'tool_call';
  readonly status: ToolCallStatus;
  /** As decisions name it. */
  readonly call: string;
  readonly call_id: string;
  readonly tool_name: string;
  readonly round: number;
  readonly position: number;
  readonly effect: ToolEffect | null;
  /** The attempt that wrote last of it; null before it has begun. */
  readonly attempt: number | null;
  /** The step of a pipeline; null in a loop of a model. */
  readonly step: string | null;
}

export interface ApprovalEntry extends EntryBase {
  readonly kind: 'approval';
  readonly started_at: string;
  readonly status: 'pending' | 'decided' | 'withdrawn';
  readonly call: string;
  readonly asks: 'approval' | 'outcome';
  readonly decision: 'approved' | 'refused' | 'happened' | 'did_not_happen' | 'unknown' | null;
  readonly decided_by: { readonly key_id: string | null; readonly person: string | null } | null;
  readonly expires_at: string | null;
}

export interface WaitEntry extends EntryBase {
  readonly kind: 'wait';
  readonly started_at: string;
  readonly status: 'waiting' | 'over';
  readonly reason: WaitKind;
  readonly name: string | null;
  readonly next_try_at: string | null;
  readonly message: string;
}

export interface WebhookDeliveryEntry extends EntryBase {
  readonly kind: 'webhook_delivery';
  readonly started_at: string;
  readonly status: WebhookDeliveryStatus;
  readonly delivery_id: string;
  readonly event_type: WebhookEventType;
  readonly attempt_count: number;
}

export type TimelineEntry =
  | AttemptEntry
  | ModelCallEntry
  | ModelSwitchEntry
  | ToolCallEntry
  | ApprovalEntry
  | WaitEntry
  | WebhookDeliveryEntry;

/** A place in a timeline: so many entries at this fact, and everything before. Fact 0 stands before the first one. */
export interface TimelinePlace {
  readonly sequence: number;
  readonly count: number;
}
