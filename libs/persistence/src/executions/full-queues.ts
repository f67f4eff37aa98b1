import type { DataSource, EntityManager } from 'typeorm';
import type { Submission } from '#libs/executions';
import { queryRows } from '../sql.js';
import { queueLimitsOf, roomInQueues } from './queue-room-sql.js';

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
