import { ROOT } from '#libs/agent-core';
import { isSettled } from '#libs/payloads';
import type { AttemptRecord } from '../executions/attempt-record.js';
import { shownWait, type WaitRow } from '../executions/shown-wait.js';
import type { AttemptEntry, WaitEntry, WebhookDeliveryEntry } from './timeline-entry.js';

/** The row of an execution, as far as its timeline shows it. */
export interface TimelineExecution extends WaitRow {
  readonly epoch: number;
  readonly attempts: readonly AttemptRecord[] | null;
  readonly started_at: Date | null;
  readonly finished_at: Date | null;
}

export interface DeliveryRow {
  readonly id: string;
  readonly type: WebhookDeliveryEntry['event_type'];
  readonly status: WebhookDeliveryEntry['status'];
  readonly attempt_count: number;
  readonly created_at: Date;
  readonly delivered_at: Date | null;
}

const AT_TOP = { scope: ROOT, parent_id: null } as const;

export function toAttempt(record: AttemptRecord, execution: TimelineExecution): AttemptEntry {
  const isLast = record.epoch === execution.epoch;
  const isOpen = isLast && record.end_reason === undefined;
  const settled = isOpen && isSettled(execution.status) ? execution.status : null;
  const ended_at = record.ended_at ?? (settled && execution.finished_at);
  return {
    ...{ id: `attempt-${record.epoch}`, kind: 'attempt', ...AT_TOP },
    status: isOpen && execution.status === 'running' ? 'running' : 'ended',
    started_at: new Date(record.started_at).toISOString(),
    finished_at: ended_at === null ? null : new Date(ended_at).toISOString(),
    ...{ number: record.number, worker: record.worker, end_reason: record.end_reason ?? settled },
  };
}

export function toDelivery(row: DeliveryRow): WebhookDeliveryEntry {
  return {
    ...{ id: `webhook_delivery-${row.id}`, kind: 'webhook_delivery', ...AT_TOP, status: row.status },
    started_at: row.created_at.toISOString(),
    finished_at: row.delivered_at?.toISOString() ?? null,
    ...{ delivery_id: row.id, event_type: row.type, attempt_count: row.attempt_count },
  };
}

/** The waits before its first attempt: for the execution before it in its session, then for a worker. */
export function firstWaits(execution: TimelineExecution): WaitEntry[] {
  const { created_at, head_since, finished_at } = execution;
  const claimed = firstStart(execution) ?? finished_at;
  const isInLine = head_since === null || head_since > created_at;
  const headed = head_since ?? finished_at;
  const inLine = { ...firstWait('conversation', created_at, headed), name: execution.session_id };
  const forSlot = head_since && firstWait('slot', head_since > created_at ? head_since : created_at, claimed);
  return [...(isInLine ? [inLine] : []), ...(forSlot === null ? [] : [forSlot])];
}

/** The wait that it is in now, unless it is one of the first. */
export function currentWait(execution: TimelineExecution): WaitEntry | null {
  const wait = shownWait(execution);
  if (wait === null) return null;
  const isFirst = execution.epoch === 0 && (wait.kind === 'slot' || wait.kind === 'conversation');
  if (isFirst) return null;
  const { kind: reason, name, since, next_try_at, message } = wait;
  return {
    ...{ id: `wait-${reason}-${Date.parse(since)}`, kind: 'wait', ...AT_TOP, status: 'waiting' },
    ...{ started_at: since, finished_at: null, reason, name, next_try_at, message },
  };
}

function firstStart({ attempts, started_at }: TimelineExecution): Date | null {
  const first = attempts?.[0];
  const claimed = first?.epoch === 1 ? new Date(first.started_at) : null;
  return claimed ?? started_at;
}

const MESSAGES = {
  conversation: 'an earlier execution of its session had not ended',
  slot: 'a worker had to be free',
} as const;

function firstWait(reason: 'conversation' | 'slot', since: Date, until: Date | null): WaitEntry {
  return {
    ...{ id: `wait-${reason}`, kind: 'wait', ...AT_TOP, status: until === null ? 'waiting' : 'over' },
    ...{ started_at: since.toISOString(), finished_at: until?.toISOString() ?? null },
    ...{ reason, name: null, next_try_at: null, message: MESSAGES[reason] },
  };
}
