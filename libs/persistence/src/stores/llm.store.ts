import type { DataSource } from 'typeorm';
import type { JsonObject } from '#libs/kernel';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from './bounded-page.js';
import type { StoredLlm } from '#libs/executions';
import { resealColumn, type Reseal } from './reseal-rows.js';
import type { ExpectedVersions, Versioned, VersionedChange } from './versioned.js';
import { changeSql, readChange, readDeletion, toVersioned, type RowOf } from './versioned-rows.js';

/** A model configuration as the API shows it: of the key only its last characters. */
export interface LlmView {
  readonly id: number;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly credentials: JsonObject;
  /** The last four characters of its own key; null when it uses the key of the process. */
  readonly api_key_hint: string | null;
  readonly extra: JsonObject;
  readonly pricing: object | null;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SealedKey {
  readonly sealed: string;
  readonly hint: string;
}

export interface LlmFields {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly credentials: JsonObject;
  readonly extra: JsonObject;
  readonly pricing: object | null;
  readonly is_active: boolean;
}

/** Seals a key for the configuration with this id; the id is part of what the seal is bound to. */
export type SealKey = (llmId: number) => SealedKey | null;

export type LlmDeletion = 'deleted' | 'not_found' | 'other_version' | 'in_use';

/** SQLSTATE of a foreign key that would no longer hold; PostgreSQL 18 has its own for RESTRICT. */
const STILL_REFERRED_TO = new Set<unknown>(['23503', '23001']);

/** Model configurations of one tenant. */
export class LlmStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<LlmView>> {
    const rows = await readPage<LlmRow>(this.dataSource, {
      select: `SELECT ${COLUMNS} FROM llm WHERE tenant_id = $1 AND id > $2`,
      parameters: [tenantId, page.afterId ?? 0],
      orderBy: 'id',
      limit: page.limit,
    });
    return mapRows(rows, (row) => toVersioned<LlmView>(row).view);
  }

  async find(tenantId: string, id: number): Promise<Versioned<LlmView> | null> {
    const sql = `SELECT ${COLUMNS} FROM llm WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<LlmRow>(this.dataSource, sql, [tenantId, id]);
    return row ? toVersioned<LlmView>(row) : null;
  }

  /** With its key still sealed. */
  async findSealed(tenantId: string, id: number): Promise<StoredLlm | null> {
    const sql = `SELECT ${SEALED_COLUMNS} FROM llm WHERE tenant_id = $1 AND id = $2`;
    const [row] = await queryRows<StoredLlm>(this.dataSource, sql, [tenantId, id]);
    return row ?? null;
  }

  async create(tenantId: string, fields: LlmFields, sealKey: SealKey): Promise<Versioned<LlmView>> {
    const [reserved] = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT nextval(pg_get_serial_sequence('llm', 'id'))::int AS id`,
    );
    const id = reserved?.id ?? 0;
    const key = sealKey(id);
    const [row] = await queryRows<LlmRow>(
      this.dataSource,
      `INSERT INTO llm (id, tenant_id, name, provider, model, credentials, extra, pricing, is_active, api_key_sealed, api_key_hint)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`,
      [
        ...[id, tenantId, fields.name, fields.provider, fields.model, JSON.stringify(fields.credentials)],
        ...[JSON.stringify(fields.extra), toJson(fields.pricing), fields.is_active],
        ...[key?.sealed ?? null, key?.hint ?? null],
      ],
    );
    if (!row) throw new Error('an inserted row was not answered');
    return toVersioned<LlmView>(row);
  }

  /**
   * What is not given stays, also where it changes at the same time: it is one statement. A key is replaced only when
   * `sealKey` gives one, or removed where `dropsKey` says so.
   */
  async update(
    tenantId: string,
    id: number,
    { dropsKey = false, ...fields }: Partial<LlmFields> & { readonly dropsKey?: boolean },
    sealKey: SealKey,
    expected: ExpectedVersions = null,
  ): Promise<VersionedChange<LlmView>> {
    const key = sealKey(id);
    const { name, provider, model, credentials, extra, pricing, is_active } = fields;
    const [row] = await queryRows<Partial<LlmRow>>(this.dataSource, UPDATE_SQL, [
      ...[tenantId, id, expected, name ?? null, provider ?? null, model ?? null],
      ...[toJson(credentials), toJson(extra), pricing !== undefined, toJson(pricing), is_active ?? null],
      ...[key?.sealed ?? null, key?.hint ?? null, dropsKey],
    ]);
    return readChange(row, expected, toVersioned<LlmView>);
  }

  /** Refused while an agent refers to it, or an execution that has not settled runs a version that does. */
  async delete(tenantId: string, id: number, expected: ExpectedVersions = null): Promise<LlmDeletion> {
    try {
      const [row] = await queryRows<{ is_deleted: boolean; is_pinned: boolean }>(
        this.dataSource,
        `WITH found AS (
           SELECT id, EXISTS (
                    SELECT 1 FROM agent_version pinned JOIN execution e
                        ON e.agent_id = pinned.agent_id AND e.agent_version = pinned.version
                     WHERE pinned.llm_id = llm.id AND e.status IN ('queued', 'running', 'requires_action')) AS is_pinned
             FROM llm WHERE tenant_id = $1 AND id = $2
         ), deleted AS (
           DELETE FROM llm USING found
            WHERE llm.id = found.id AND NOT is_pinned AND ($3::int[] IS NULL OR version = ANY($3::int[]))
           RETURNING llm.id
         )
         SELECT EXISTS (SELECT 1 FROM deleted) AS is_deleted, is_pinned FROM found`,
        [tenantId, id, expected],
      );
      return row?.is_pinned === true ? 'in_use' : readDeletion(row, expected);
    } catch (error) {
      if (error instanceof Error && 'code' in error && STILL_REFERRED_TO.has(error.code)) return 'in_use';
      throw error;
    }
  }

  /** Seals every key anew that `reseal` answers a new text for. Answers how many. */
  async resealKeys(reseal: Reseal<LlmKeyOwner>): Promise<number> {
    const owner = { tenantId: 'tenant_id', llmId: 'id' };
    const keys = { table: 'llm', column: 'api_key_sealed', owner, key: ['llmId'] } as const;
    return resealColumn<LlmKeyOwner>(this.dataSource, keys, reseal);
  }
}

interface LlmKeyOwner {
  readonly tenantId: string;
  readonly llmId: number;
}

type LlmRow = RowOf<LlmView>;

const COLUMNS = `id, name, provider, model, credentials, api_key_hint, extra, pricing, is_active, created_at, updated_at,
  version`;

const UPDATE_SQL = changeSql(
  'llm',
  `name = coalesce($4, name), provider = coalesce($5, provider), model = coalesce($6, model),
   credentials = coalesce($7::jsonb, credentials), extra = coalesce($8::jsonb, extra),
   pricing = CASE WHEN $9::boolean THEN $10::jsonb ELSE pricing END,
   is_active = coalesce($11, is_active),
   api_key_sealed = CASE WHEN $14::boolean THEN $12 ELSE coalesce($12, api_key_sealed) END,
   api_key_hint = CASE WHEN $14::boolean THEN $13 ELSE coalesce($13, api_key_hint) END`,
  COLUMNS,
);

const SEALED_COLUMNS = `id, tenant_id AS "tenantId", provider, model, extra, credentials, api_key_sealed AS "apiKeySealed",
  pricing, is_active AS "isActive"`;

function toJson(value: object | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
