import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import { isReferredTo, isTaken } from '../rows/sql-state.js';
import type { ExpectedVersions, Versioned, VersionedChange } from '../rows/versioned.js';
import { readChange, readDeletion, toVersioned, withIsoTimes, type RowOf } from '../rows/versioned-rows.js';

/** A datasource as the API shows it. */
export interface DatasourceView {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly llm_id: number;
  readonly embed_model: string;
  readonly dimensions: number;
  readonly chunk_tokens: number;
  readonly overlap_tokens: number;
  /** How many it has, ready or not. */
  readonly document_count: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DatasourceFields = Omit<DatasourceView, 'id' | 'document_count' | 'created_at' | 'updated_at'>;

/** `name_taken`: by another datasource of the tenant. `unknown_llm`: the tenant has no such model configuration. */
type Refusal = { readonly kind: 'name_taken' | 'unknown_llm' };
export type DatasourceCreation = ({ readonly kind: 'created' } & Versioned<DatasourceView>) | Refusal;
/** `has_documents`: their vectors are of the model and the dimensions that were to change. */
export type DatasourceChange =
  VersionedChange<DatasourceView> | Refusal | { readonly kind: 'has_documents' | 'overlap_too_long' };

/** Datasources of one tenant. */
export class DatasourceStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending. */
  async list(
    tenantId: string,
    page: { readonly afterId?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<DatasourceView>> {
    const rows = await readPage<Omit<DatasourceRow, 'version'>>(this.dataSource, {
      select: `SELECT ${COLUMNS} FROM datasource WHERE tenant_id = $1 AND id > $2`,
      parameters: [tenantId, page.afterId ?? 0],
      orderBy: 'id',
      limit: page.limit,
    });
    return mapRows(rows, withIsoTimes);
  }

  async find(tenantId: string, id: number): Promise<Versioned<DatasourceView> | null> {
    const [row] = await queryRows<DatasourceRow>(this.dataSource, FIND_SQL, [tenantId, id]);
    return row ? toVersioned<DatasourceView>(row) : null;
  }

  async create(tenantId: string, fields: DatasourceFields): Promise<DatasourceCreation> {
    const [outcome] = await queryRows<{ knows_llm: boolean } & Partial<DatasourceRow>>(
      this.dataSource,
      CREATE_SQL,
      [tenantId, ...valuesOf(fields)],
    );
    if (outcome?.knows_llm !== true) return { kind: 'unknown_llm' };
    const { knows_llm: _knows, ...row } = outcome;
    if (typeof row.version !== 'number') return { kind: 'name_taken' };
    return { kind: 'created', ...toVersioned<DatasourceView>(row as DatasourceRow) };
  }

  /** What is not given stays. Documents that come at the same time see the change, or forbid it. */
  async update(
    tenantId: string,
    id: number,
    given: Partial<DatasourceFields>,
    expected: ExpectedVersions,
  ): Promise<DatasourceChange> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        // Documents that are being accepted are waited for here, and counted by the statement after.
        await queryRows(manager, LOCK_SQL, [tenantId, id]);
        const [before] = await queryRows<DatasourceRow>(manager, FIND_SQL, [tenantId, id]);
        if (before === undefined) return { kind: 'not_found' };
        if (expected !== null && !expected.includes(before.version)) return { kind: 'other_version' };
        const after = { ...before, ...given };
        const isOtherVectors = VECTOR_FIELDS.some((field) => before[field] !== after[field]);
        if (isOtherVectors && before.document_count > 0) return { kind: 'has_documents' };
        if (after.overlap_tokens >= after.chunk_tokens) return { kind: 'overlap_too_long' };
        const [llm] = await queryRows(manager, LLM_SQL, [tenantId, after.llm_id]);
        if (llm === undefined) return { kind: 'unknown_llm' };
        const [row] = await queryRows<DatasourceRow>(manager, UPDATE_SQL, [tenantId, ...valuesOf(after), id]);
        return readChange(row, expected, toVersioned<DatasourceView>);
      });
    } catch (error) {
      if (isTaken(error)) return { kind: 'name_taken' };
      throw error;
    }
  }

  async delete(
    tenantId: string,
    id: number,
    expected: ExpectedVersions,
  ): Promise<'deleted' | 'not_found' | 'other_version' | 'has_documents'> {
    try {
      const [row] = await queryRows<{ is_deleted: boolean }>(this.dataSource, DELETE_SQL, [
        tenantId,
        id,
        expected,
      ]);
      return readDeletion(row, expected);
    } catch (error) {
      if (isReferredTo(error)) return 'has_documents';
      throw error;
    }
  }
}

type DatasourceRow = RowOf<DatasourceView>;

/** What vectors are made with. */
const VECTOR_FIELDS = ['llm_id', 'embed_model', 'dimensions'] as const;

const COLUMNS = `id, name, description, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens,
  (SELECT count(*)::int FROM document WHERE document.datasource_id = datasource.id) AS document_count,
  created_at, updated_at`;
const FIND_SQL = `SELECT ${COLUMNS}, version FROM datasource WHERE tenant_id = $1 AND id = $2`;
const LOCK_SQL = 'SELECT id FROM datasource WHERE tenant_id = $1 AND id = $2 FOR UPDATE';
const LLM_SQL = 'SELECT id FROM llm WHERE tenant_id = $1 AND id = $2 FOR KEY SHARE';
const CREATE_SQL = `WITH known AS (
    SELECT id FROM llm WHERE tenant_id = $1 AND id = $4
  ), created AS (
    INSERT INTO datasource (tenant_id, name, description, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens)
    SELECT $1, $2, $3, id, $5, $6, $7, $8 FROM known
    ON CONFLICT (tenant_id, name) DO NOTHING
    RETURNING ${COLUMNS}, version
  )
  SELECT EXISTS (SELECT 1 FROM known) AS knows_llm, created.* FROM (SELECT 1) AS one LEFT JOIN created ON true`;
const UPDATE_SQL = `UPDATE datasource
     SET version = version + 1, updated_at = now(), name = $2, description = $3, llm_id = $4, embed_model = $5,
         dimensions = $6, chunk_tokens = $7, overlap_tokens = $8
   WHERE tenant_id = $1 AND id = $9
  RETURNING ${COLUMNS}, version`;
const DELETE_SQL = `WITH found AS (
    SELECT id FROM datasource WHERE tenant_id = $1 AND id = $2
  ), deleted AS (
    DELETE FROM datasource WHERE tenant_id = $1 AND id = $2 AND ($3::int[] IS NULL OR version = ANY($3::int[]))
    RETURNING id
  )
  SELECT EXISTS (SELECT 1 FROM deleted) AS is_deleted FROM found`;

function valuesOf(fields: DatasourceFields): readonly unknown[] {
  const { name, description, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens } = fields;
  return [name, description, llm_id, embed_model, dimensions, chunk_tokens, overlap_tokens];
}
