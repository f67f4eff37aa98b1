import type { Submission } from '#libs/executions';

/** Limits that the accepts of one statement are counted against. */
interface QueueLimits {
  readonly tenants: readonly string[];
  /** By place of the tenant; null: its queue is not counted. */
  readonly ofTenants: readonly (number | null)[];
  /** Limit of all tenants together; null: not counted. */
  readonly ofAll: number | null;
}

/** The limits of submissions that are accepted in one statement. */
export function queueLimitsOf(submissions: readonly Submission[]): QueueLimits {
  const ofAll = submissions.flatMap(({ counted }) => counted?.queued ?? []);
  return {
    tenants: submissions.map(({ tenantId }) => tenantId),
    ofTenants: submissions.map(({ counted }) => counted?.tenantQueued ?? null),
    ofAll: ofAll.length === 0 ? null : Math.min(...ofAll),
  };
}

/**
 * A row for each tenant with how many more executions may wait: `of_tenant` and `of_all`, null where that is not counted.
 * It holds locks until the end of its transaction, so that each counts what the others have had accepted: a transaction
 * asks before it locks a session or inserts an idempotency key.
 */
export function roomInQueues(
  { tenants, ofTenants, ofAll }: QueueLimits,
  bind: (value: unknown) => string,
): string {
  return `room_in_queues(${bind(tenants)}::text[], ${bind(ofTenants)}::int[], ${bind(ofAll)}::int)`;
}

/** Whether there is room for one more, in the row of its tenant. */
export const HAS_ROOM = 'coalesce(queue_room.of_tenant, 1) > 0 AND coalesce(queue_room.of_all, 1) > 0';
