import type { RequestKey } from '#libs/knowledge';
import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/** What became of a request that came before under the same key. */
export type RepeatedUpload =
  | { readonly kind: 'repeated'; readonly id: string }
  /** By a request that said something else. */
  | { readonly kind: 'key_reused' };

/** How long a key is known, if what it has made is there. */
const KNOWN_FOR = `interval '24 hours'`;

/** SQL of what an upload has made and still is there, of each table that keeps such. */
const IS_THERE = { document: 'true', file: 'expires_at > now()' } as const;

/**
 * Under the lock of the tenant. Null where no request came before under this key, or none that is known any more: then it
 * may be used anew.
 */
export async function findRepeated(
  manager: EntityManager,
  table: keyof typeof IS_THERE,
  tenantId: string,
  { key, requestSha256 }: RequestKey,
): Promise<RepeatedUpload | null> {
  const [known] = await queryRows<{ id: string; request_sha256: string }>(
    manager,
    `WITH known AS (
       SELECT id, request_sha256, created_at > now() - ${KNOWN_FOR} AND ${IS_THERE[table]} AS is_kept
         FROM ${table} WHERE tenant_id = $1 AND idempotency_key = $2
     ), forgotten AS (
       UPDATE ${table} SET idempotency_key = NULL, request_sha256 = NULL
         FROM known WHERE ${table}.id = known.id AND NOT known.is_kept
     )
     SELECT id, request_sha256 FROM known WHERE is_kept`,
    [tenantId, key],
  );
  if (known === undefined) return null;
  return known.request_sha256 === requestSha256 ? { kind: 'repeated', id: known.id } : { kind: 'key_reused' };
}
