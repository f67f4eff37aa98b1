import type { Submission } from '#libs/executions';
import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/** Limits that the accepts of one statement are counted against. */
interface QueueLimits {
  readonly tenants: readonly string[];
  /** Limits by position of the tenant; null if its queue is not counted. */
  readonly ofTenants: readonly (number | null)[];
  /** Limit of all tenants together; null if not counted. */
  readonly ofAll: number | null;
}

/** Limits for submissions accepted in one statement. */
export function queueLimitsOf(submissions: readonly Submission[]): QueueLimits {
  const ofAll = submissions.flatMap(({ counted }) => counted?.queued ?? []);
  return {
    tenants: submissions.map(({ tenantId }) => tenantId),
    ofTenants: submissions.map(({ counted }) => counted?.tenantQueued ?? null),
    ofAll: ofAll.length === 0 ? null : Math.min(...ofAll),
  };
}

/**
 * One row per tenant with the remaining room: `of_tenant` and `of_all`, null if not counted. It holds locks until the end
 * of the transaction, so that concurrent accepts count each other. To avoid deadlocks it must run before the session is
 * locked or an idempotency key is inserted.
 */
export function roomInQueues(
  { tenants, ofTenants, ofAll }: QueueLimits,
  bind: (value: unknown) => string,
): string {
  return `room_in_queues(${bind(tenants)}::text[], ${bind(ofTenants)}::int[], ${bind(ofAll)}::int)`;
}

/** Whether the tenant's row has room for one more. */
export const HAS_ROOM = 'coalesce(queue_room.of_tenant, 1) > 0 AND coalesce(queue_room.of_all, 1) > 0';

/** The full queue: the tenant's, or that of all tenants. */
export type FullQueue = 'tenant' | 'all';

/**
 * Tenants with submissions that no queue has room for; empty without counted limits. In a transaction it locks the queues
 * until the end.
 */
export async function findFull(
  database: DataSource | EntityManager,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<string, FullQueue>> {
  const counted = submissions.filter((submission) => submission.counted);
  if (counted.length === 0) return new Map();
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const sql = `SELECT * FROM ${roomInQueues(queueLimitsOf(counted), bind)}`;
  const rows = await queryRows<Room>(database, sql, parameters);
  return new Map(rows.flatMap((room) => toFull(room)));
}

interface Room {
  readonly tenant_id: string;
  readonly of_tenant: number | null;
  readonly of_all: number | null;
}

function toFull({ tenant_id: tenantId, of_tenant: ofTenant, of_all: ofAll }: Room): [string, FullQueue][] {
  if (ofTenant !== null && ofTenant <= 0) return [[tenantId, 'tenant']];
  return ofAll !== null && ofAll <= 0 ? [[tenantId, 'all']] : [];
}
