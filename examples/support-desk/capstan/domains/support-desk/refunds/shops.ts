import { Refusal, type RouteDependencies, type SecretName, type ToolContext } from 'capstan/kit';

/** The shop of a tenant, to be called. */
export interface Shop {
  readonly url: string;
  /** Null if the shop needs no token. */
  readonly token: string | null;
}

/** A shop as the API shows it, without its token. */
export interface ShopView {
  readonly refunds_url: string;
  readonly has_token: boolean;
}

const SELECT_SQL = 'SELECT refunds_url, has_token FROM support_desk.shop WHERE tenant_id = $1';
const UPSERT_SQL = `
INSERT INTO support_desk.shop (tenant_id, refunds_url, has_token) VALUES ($1, $2, $3)
ON CONFLICT (tenant_id) DO UPDATE SET refunds_url = excluded.refunds_url, has_token = excluded.has_token
RETURNING refunds_url, has_token`;
const DELETE_SQL = 'DELETE FROM support_desk.shop WHERE tenant_id = $1 RETURNING tenant_id';

const refundsTokenOf = (tenantId: string): SecretName => ({ tenantId, name: 'support-desk/refunds-token' });

/** The tenant's shop. Throws `NOT_FOUND`. */
export async function showShop(
  { database }: Pick<RouteDependencies, 'database'>,
  tenantId: string,
): Promise<ShopView> {
  const [shop] = await database.query<ShopView>(SELECT_SQL, [tenantId]);
  if (shop === undefined) throw noShop();
  return shop;
}

/**
 * Replaces the tenant's shop. An omitted token is deleted, so that no token is ever sent to another address. Throws
 * a refusal for an address that must not be called.
 */
export async function setShop(
  { database, secrets, mayCall }: Pick<RouteDependencies, 'database' | 'secrets' | 'mayCall'>,
  tenantId: string,
  { url, token }: Shop,
): Promise<ShopView> {
  if (!mayCall(tenantId, url)) throw refusedUrl();
  return database.transaction(async (inside) => {
    const [shop] = await inside.query<ShopView>(UPSERT_SQL, [tenantId, url, token !== null]);
    await secrets.keep(inside, refundsTokenOf(tenantId), token);
    return shop ?? { refunds_url: url, has_token: token !== null };
  });
}

/**
 * Deletes the tenant's shop and its token; refunds are refused until a new shop is set. Refunds with an unknown outcome
 * still wait for a person. Throws `NOT_FOUND`.
 */
export async function deleteShop(
  { database, secrets }: Pick<RouteDependencies, 'database' | 'secrets'>,
  tenantId: string,
): Promise<void> {
  await database.transaction(async (inside) => {
    const deleted = await inside.query(DELETE_SQL, [tenantId]);
    if (deleted.length !== 1) throw noShop();
    await secrets.keep(inside, refundsTokenOf(tenantId), null);
  });
}

/** URL and token of one moment, so that no token is sent to another URL; null if the tenant has no shop. */
export function findShop({
  database,
  secrets,
  tenantId,
}: Pick<ToolContext, 'database' | 'secrets' | 'tenantId'>): Promise<Shop | null> {
  return database.transaction(
    async (inside) => {
      const [shop] = await inside.query<ShopView>(SELECT_SQL, [tenantId]);
      if (shop === undefined) return null;
      return { url: shop.refunds_url, token: await secrets.read(inside, refundsTokenOf(tenantId)) };
    },
    { isolation: 'repeatable read' },
  );
}

function noShop(): Refusal {
  return new Refusal('not_found', 'The tenant has no support shop');
}

function refusedUrl(): Refusal {
  const detail = 'must be a public http or https address without user name and password';
  return new Refusal('invalid_input', detail, { faults: [{ path: ['refunds_url'], detail }] });
}
