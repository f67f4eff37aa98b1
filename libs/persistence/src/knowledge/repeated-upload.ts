import type { RequestKey } from '#libs/knowledge';
import type { EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';

/** Outcome of an earlier request under the same key. */
export type RepeatedUpload =
  | { readonly kind: 'repeated'; readonly id: string }
  /** A different request has used the key. */
  | { readonly kind: 'key_reused' };

/** Lifetime of a key, as long as the upload that it made exists. */
const KNOWN_FOR = `interval '24 hours'`;

/** SQL by table: the condition that the upload still exists. */
const IS_THERE = { document: 'true', file: 'expires_at > now()' } as const;

/**
 * Finds the earlier request under a key, under the lock of the tenant. Null if there was none, or its key has expired:
 * then the key may be used again.
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
