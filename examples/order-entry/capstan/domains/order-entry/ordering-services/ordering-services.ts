import {
  Refusal,
  type Database,
  type RouteDependencies,
  type SecretName,
  type TaskDependencies,
} from 'capstan/kit';
import { otherVersion } from '../order-changes/refusals.ts';
import { SEND_ORDER } from '../sending/send-order-data.ts';

/** A tenant's ordering service, to be called. */
export interface CalledService {
  readonly url: string;
  /** Null if the service needs no token. */
  readonly token: string | null;
}

/** An ordering service as the API shows it, without its token. */
export interface OrderingServiceView {
  readonly url: string;
  readonly has_token: boolean;
  readonly version: number;
  /** ISO 8601, UTC. */
  readonly updated_at: string;
}

export interface NewOrderingService {
  readonly tenantId: string;
  readonly expectedVersions: readonly number[] | null;
  readonly url: string;
  readonly token: string | null;
}

interface OrderingService {
  readonly url: string;
  readonly hasToken: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

const SELECT_SQL = `
SELECT url, has_token AS "hasToken", version, updated_at AS "updatedAt" FROM order_entry.ordering_service
WHERE tenant_id = $1`;
const DELETE_SQL = 'DELETE FROM order_entry.ordering_service WHERE tenant_id = $1';
const UPSERT_SQL = `
INSERT INTO order_entry.ordering_service AS known (tenant_id, url, has_token) VALUES ($1, $2, $3)
ON CONFLICT (tenant_id) DO UPDATE
  SET url = excluded.url, has_token = excluded.has_token, version = known.version + 1, updated_at = now()`;

const orderingTokenOf = (tenantId: string): SecretName => ({
  tenantId,
  name: 'order-entry/ordering-service-token',
});

/** Null if the tenant has none. */
export async function readOrderingService(
  database: Database,
  tenantId: string,
): Promise<OrderingService | null> {
  const [service = null] = await database.query<OrderingService>(SELECT_SQL, [tenantId]);
  return service;
}

/** URL and token of one moment, so that no token is sent to another URL; null without a service. */
export function findCalledService(
  { database, secrets }: Pick<TaskDependencies, 'database' | 'secrets'>,
  tenantId: string,
): Promise<CalledService | null> {
  return database.transaction(
    async (inside) => {
      const service = await readOrderingService(inside, tenantId);
      if (service === null) return null;
      return { url: service.url, token: await secrets.read(inside, orderingTokenOf(tenantId)) };
    },
    { isolation: 'repeatable read' },
  );
}

/** The tenant's ordering service. Throws `NOT_FOUND`. */
export async function showOrderingService(
  { database }: Pick<RouteDependencies, 'database'>,
  tenantId: string,
): Promise<OrderingServiceView> {
  const service = await readOrderingService(database, tenantId);
  if (service === null) throw noOrderingService();
  const { url, hasToken, version, updatedAt } = service;
  return { url, has_token: hasToken, version, updated_at: updatedAt.toISOString() };
}

/**
 * Replaces the tenant's ordering service. An omitted token is deleted, so that no token is ever sent to another address.
 * Throws `VERSION_CHANGED`, and a refusal for an address that must not be called.
 */
export async function nameOrderingService(
  { database, secrets, tasks, mayCall }: RouteDependencies,
  { tenantId, expectedVersions, url, token }: NewOrderingService,
): Promise<OrderingServiceView> {
  if (!mayCall(tenantId, url)) throw refusedUrl();
  return database.transaction(async (transaction) => {
    const known = await lockOrderingService(transaction, tenantId);
    if (expectedVersions !== null && !expectedVersions.includes(known?.version ?? 0)) throw otherVersion();
    await transaction.query(UPSERT_SQL, [tenantId, url, token !== null]);
    await secrets.keep(transaction, orderingTokenOf(tenantId), token);
    if (known !== null && known.url !== url) await endWhatIsOnItsWay(tasks, transaction, tenantId);
    return showOrderingService({ database: transaction }, tenantId);
  });
}

/**
 * Deletes the tenant's ordering service and its token. Orders being sent fail with their next try, which is due at once.
 * Throws `NOT_FOUND` and `VERSION_CHANGED`.
 */
export async function removeOrderingService(
  { database, secrets, tasks }: Pick<RouteDependencies, 'database' | 'secrets' | 'tasks'>,
  {
    tenantId,
    expectedVersions,
  }: { readonly tenantId: string; readonly expectedVersions: readonly number[] | null },
): Promise<void> {
  await database.transaction(async (transaction) => {
    const known = await lockOrderingService(transaction, tenantId);
    if (known === null) throw noOrderingService();
    if (expectedVersions !== null && !expectedVersions.includes(known.version)) throw otherVersion();
    await transaction.query(DELETE_SQL, [tenantId]);
    await secrets.keep(transaction, orderingTokenOf(tenantId), null);
    await endWhatIsOnItsWay(tasks, transaction, tenantId);
  });
}

async function lockOrderingService(database: Database, tenantId: string): Promise<OrderingService | null> {
  const [service = null] = await database.query<OrderingService>(`${SELECT_SQL} FOR UPDATE`, [tenantId]);
  return service;
}

/** Skips the backoff, of up to an hour, before tries that can only find another service, or none. */
function endWhatIsOnItsWay(
  tasks: RouteDependencies['tasks'],
  database: Database,
  tenantId: string,
): Promise<void> {
  return tasks.hasten(database, { task: SEND_ORDER, tenantId });
}

function noOrderingService(): Refusal {
  return new Refusal('not_found', 'The tenant has no ordering service');
}

function refusedUrl(): Refusal {
  const detail = 'must be a public http or https address without user name and password';
  return new Refusal('invalid_input', detail, { faults: [{ path: ['url'], detail }] });
}
