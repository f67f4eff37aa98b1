import type { DataSource, EntityManager } from 'typeorm';
import { queryRows } from '../sql.js';
import {
  API_KEY_COLUMNS,
  endsInTimeSql,
  IS_USABLE,
  toApiKeyView,
  type ApiKeyRow,
  type ApiKeyView,
} from './api-key-rows.js';

export type ApiKeyRevocation =
  /** It is, perhaps since long before. */
  | { readonly kind: 'revoked'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** Nobody could manage keys over HTTP any more. */
  | { readonly kind: 'last_admin' };

export type ApiKeyRotation =
  /** The new key. */
  | { readonly kind: 'rotated'; readonly key: ApiKeyView }
  | { readonly kind: 'not_found' }
  /** It is revoked or expired. */
  | { readonly kind: 'not_usable' }
  | { readonly kind: 'replaced'; readonly by: string }
  /** The new one would be good when the key that rotates it is not any more. */
  | { readonly kind: 'outlives_maker' };

export interface ApiKeyReplacement {
  readonly id: string;
  readonly secretSha256: string;
  readonly createdBy: string | null;
  /** For how long the key before it is good beside it. */
  readonly overlapSeconds: number;
}

/** Ends keys, and replaces them. A row is never deleted: it says who could do what, and when. */
export class ApiKeyChangesStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * At once and for good. The last key with the scope `admin` that goes on for a day or more, and that none is to replace,
   * is left alone unless `isForced`.
   */
  async revoke(id: string, { isForced }: { readonly isForced: boolean }): Promise<ApiKeyRevocation> {
    return this.dataSource.transaction(async (manager) => {
      // Two who revoke each other's keys at the same time go one after the other.
      await queryRows(manager, `SELECT id FROM api_key WHERE ${IS_ADMIN} ORDER BY id FOR UPDATE`);
      if (!isForced && (await isLastAdmin(manager, id))) return { kind: 'last_admin' };
      const [row] = await queryRows<ApiKeyRow>(
        manager,
        `UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${API_KEY_COLUMNS}`,
        [id],
      );
      return row ? { kind: 'revoked', key: toApiKeyView(row) } : { kind: 'not_found' };
    });
  }

  /**
   * A key of the same tenant, name and scopes, which lives for as long as the one before was made for; that one ends after
   * `overlapSeconds`, or sooner where it would anyway.
   */
  async rotate(id: string, next: ApiKeyReplacement): Promise<ApiKeyRotation> {
    const [row] = await queryRows<
      Partial<ApiKeyRow> & { was_usable: boolean; was_replaced_by: string | null; ends_in_time: boolean }
    >(
      this.dataSource,
      `WITH found AS (
         SELECT *, ${IS_USABLE} AS was_usable,
                ${endsInTimeSql('now() + (api_key.expires_at - api_key.created_at)', '$4::text')} AS ends_in_time
           FROM api_key WHERE id = $1 FOR UPDATE
       ), ended AS (
         UPDATE api_key SET replaced_by = $2, expires_at = least(found.expires_at, now() + $5 * interval '1 second')
           FROM found WHERE api_key.id = found.id AND found.was_usable AND found.ends_in_time AND found.replaced_by IS NULL
         RETURNING found.tenant_id, found.name, found.scopes, found.expires_at - found.created_at AS lifetime
       ), made AS (
         INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes, created_by, expires_at)
         SELECT $2, tenant_id, name, $3, scopes, $4, now() + lifetime FROM ended
         RETURNING ${API_KEY_COLUMNS}
       )
       SELECT was_usable, ends_in_time, found.replaced_by AS was_replaced_by, made.* FROM found LEFT JOIN made ON true`,
      [id, next.id, next.secretSha256, next.createdBy, next.overlapSeconds],
    );
    if (row === undefined) return { kind: 'not_found' };
    const { was_usable, was_replaced_by, ends_in_time, ...made } = row;
    if (!was_usable) return { kind: 'not_usable' };
    if (was_replaced_by !== null) return { kind: 'replaced', by: was_replaced_by };
    if (!ends_in_time) return { kind: 'outlives_maker' };
    return { kind: 'rotated', key: toApiKeyView(made as ApiKeyRow) };
  }
}

const IS_ADMIN = `('admin' = ANY(scopes) AND ${IS_USABLE})`;

async function isLastAdmin(manager: EntityManager, id: string): Promise<boolean> {
  const [row] = await queryRows<{ is_last: boolean }>(
    manager,
    `SELECT EXISTS (SELECT 1 FROM api_key WHERE id = $1 AND ${IS_ADMIN})
        AND NOT EXISTS (
          SELECT 1 FROM api_key WHERE id <> $1 AND ${IS_ADMIN} AND replaced_by IS NULL
             AND (expires_at IS NULL OR expires_at > now() + interval '1 day')) AS is_last`,
    [id],
  );
  return row?.is_last ?? false;
}
