import type { DataSource } from 'typeorm';
import { Combiner, type BatchAnswer } from '#libs/concurrency';
import { hasDoneNothing } from '../database-failure.js';
import { queryRows } from '../sql.js';
import {
  API_KEY_COLUMNS,
  endsInTimeSql,
  IS_USABLE,
  KEY_STATUS,
  toApiKeyView,
  type ApiKeyRow,
  type ApiKeyStatus,
  type ApiKeyView,
} from './api-key-rows.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';

/** What decides over a request. */
export interface StoredApiKey {
  readonly tenantId: string;
  readonly secretSha256: string;
  readonly scopes: readonly string[];
  /** Whether `last_used_at` is so old that {@link ApiKeyStore.noteUse} should be called. */
  readonly isUseDue: boolean;
}

export interface NewApiKey {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly secretSha256: string;
  readonly scopes: readonly string[];
  /** The key that makes it; null at the command line and where no key is asked for. */
  readonly createdBy?: string | null;
  /** It is good before this time; without one, until it is revoked. */
  readonly expiresAt?: Date | null;
}

export interface ApiKeyFilter {
  /** Every tenant's when omitted. */
  readonly tenantId?: string | undefined;
  readonly status?: ApiKeyStatus | undefined;
  /** Only keys made before this one. */
  readonly beforeId?: string | undefined;
  readonly limit: number;
}

export type ApiKeyCreation =
  | { readonly kind: 'created'; readonly key: ApiKeyView }
  | { readonly kind: 'unknown_tenant' }
  /** It would have expired already. */
  | { readonly kind: 'expired' }
  /** It would be good when the key that makes it is not any more. */
  | { readonly kind: 'outlives_maker' };

/** Finds keys, for every request; makes and shows them. */
export class ApiKeyStore {
  private readonly lookups: Combiner<string, StoredApiKey | null>;

  constructor(private readonly dataSource: DataSource) {
    this.lookups = new Combiner<string, StoredApiKey | null>({
      runTogether: (ids) => this.findTogether(ids),
      runAlone: async (id) => (await this.readUsable([id])).get(id) ?? null,
      mayRunAlone: hasDoneNothing,
      defer: setImmediate,
    });
  }

  /**
   * By the public part of the key; null when it is unknown, revoked or expired. Nothing is kept: those who ask at the same
   * time share a statement that begins after they have asked.
   */
  find(id: string): Promise<StoredApiKey | null> {
    return this.lookups.call(id);
  }

  /** Those of the keys that may still be used. */
  async filterUsable(ids: readonly string[]): Promise<Set<string>> {
    const sql = `SELECT id FROM api_key WHERE id = ANY($1::text[]) AND ${IS_USABLE}`;
    const rows = await queryRows<{ id: string }>(this.dataSource, sql, [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** That it was used just now, unless it is known to have been a short while ago: a key in use costs a write in minutes. */
  async noteUse(id: string): Promise<void> {
    const sql = `UPDATE api_key SET last_used_at = now() WHERE id = $1 AND ${IS_USE_DUE}`;
    await queryRows(this.dataSource, sql, [id]);
  }

  async create(key: NewApiKey): Promise<ApiKeyCreation> {
    const [row] = await queryRows<
      Partial<ApiKeyRow> & { has_tenant: boolean; is_to_come: boolean; ends_in_time: boolean }
    >(
      this.dataSource,
      `WITH asked AS (
         SELECT EXISTS (SELECT 1 FROM tenant WHERE id = $2) AS has_tenant,
                coalesce($7::timestamptz > now(), true) AS is_to_come,
                ${endsInTimeSql('$7::timestamptz', '$6::text')} AS ends_in_time
       ), made AS (
         INSERT INTO api_key (id, tenant_id, name, secret_sha256, scopes, created_by, expires_at)
         SELECT $1, $2, $3, $4, $5::text[], $6, $7 FROM asked WHERE has_tenant AND is_to_come AND ends_in_time
         RETURNING ${API_KEY_COLUMNS}
       )
       SELECT asked.*, made.* FROM asked LEFT JOIN made ON true`,
      [
        ...[key.id, key.tenantId, key.name, key.secretSha256, key.scopes],
        ...[key.createdBy ?? null, key.expiresAt ?? null],
      ],
    );
    if (row?.has_tenant !== true) return { kind: 'unknown_tenant' };
    if (!row.is_to_come) return { kind: 'expired' };
    if (!row.ends_in_time) return { kind: 'outlives_maker' };
    const { has_tenant: _has, is_to_come: _is, ends_in_time: _ends, ...made } = row;
    return { kind: 'created', key: toApiKeyView(made as ApiKeyRow) };
  }

  /** Newest first. */
  async list({ tenantId, status, beforeId, limit }: ApiKeyFilter): Promise<RowsOfPage<ApiKeyView>> {
    const rows = await readPage<ApiKeyRow>(this.dataSource, {
      select: `SELECT ${API_KEY_COLUMNS} FROM api_key
        WHERE ($1::text IS NULL OR tenant_id = $1) AND ($2::text IS NULL OR ${KEY_STATUS} = $2)
          AND ($3::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM api_key WHERE id = $3))`,
      parameters: [tenantId ?? null, status ?? null, beforeId ?? null],
      orderBy: 'created_at DESC, id DESC',
      limit,
    });
    return mapRows(rows, toApiKeyView);
  }

  private async findTogether(ids: readonly string[]): Promise<BatchAnswer<StoredApiKey | null>[]> {
    const byId = await this.readUsable(ids);
    return ids.map((id) => ({ kind: 'done', value: byId.get(id) ?? null }));
  }

  private async readUsable(ids: readonly string[]): Promise<ReadonlyMap<string, StoredApiKey>> {
    const rows = await queryRows<StoredApiKey & { readonly id: string }>(this.dataSource, FIND_SQL, [
      [...new Set(ids)],
    ]);
    return new Map(rows.map(({ id, ...key }) => [id, key]));
  }

  async read(id: string): Promise<ApiKeyView | null> {
    const sql = `SELECT ${API_KEY_COLUMNS} FROM api_key WHERE id = $1`;
    const [row] = await queryRows<ApiKeyRow>(this.dataSource, sql, [id]);
    return row ? toApiKeyView(row) : null;
  }
}

const IS_USE_DUE = `coalesce(last_used_at < now() - interval '5 minutes', true)`;

const FIND_SQL = `
  SELECT id, tenant_id AS "tenantId", secret_sha256 AS "secretSha256", scopes, ${IS_USE_DUE} AS "isUseDue"
    FROM api_key WHERE id = ANY($1::text[]) AND ${IS_USABLE}`;
