import type { DocumentWarning, IngestionState } from '#libs/knowledge';
import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';
import { mapRows, readPage, type RowsOfPage } from '../rows/bounded-page.js';
import type { Bind } from '../rows/list-conditions.js';
import type { Versioned } from '../rows/versioned.js';
import { toVersioned, withIsoTimes, type RowOf } from '../rows/versioned-rows.js';

/** A document as the API shows it: what is said of its making is said of the generation that was given last. */
export interface DocumentView {
  readonly id: string;
  readonly datasource_id: number;
  readonly title: string;
  readonly source: 'upload' | 'text' | 'url';
  readonly url: string | null;
  readonly file_name: string | null;
  readonly media_type: string | null;
  /** Null until it was read. */
  readonly kind: string | null;
  /** Null until it was fetched. */
  readonly size_bytes: number | null;
  readonly state: IngestionState;
  /** Chunks that have their vector, of how many; null until that is known. */
  readonly progress: { readonly done: number; readonly total: number | null };
  /** Text that no search finds; empty until it was read. */
  readonly warnings: readonly DocumentWarning[];
  /** Why it has failed. */
  readonly error_code: string | null;
  readonly error_text: string | null;
  /** What has gone wrong and is tried again; null as soon as anything succeeds. */
  readonly last_error: {
    readonly code: string;
    readonly text: string;
    /** Failures in a row; an outage is none. */
    readonly tries: number;
    /** From then on. */
    readonly next_try_at: string;
  } | null;
  readonly generation: number;
  /** Null until the first one is ready. */
  readonly live_generation: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

interface DocumentFilter {
  readonly datasourceId?: number | undefined;
  readonly states?: readonly IngestionState[] | undefined;
  readonly afterId?: string | undefined;
  readonly limit: number;
}

/** A part of a document that is found and cited. */
export interface ChunkView {
  readonly id: number;
  readonly ordinal: number;
  readonly text: string;
  readonly headings: readonly string[];
  readonly page: number | null;
  readonly token_count: number;
}

/** The original that a document was given as last, of those that are kept. */
interface KeptOriginal {
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** Null where it came without one. */
  readonly fileName: string | null;
  readonly title: string;
}

/** What a tenant sees of its documents. */
export class DocumentViewStore {
  constructor(private readonly dataSource: DataSource) {}

  /** By id, ascending: oldest first. */
  async list(tenantId: string, filter: DocumentFilter): Promise<RowsOfPage<DocumentView>> {
    const { select, parameters } = listDocumentsQuery(tenantId, filter);
    const rows = await readPage<Omit<DocumentRow, 'version'>>(this.dataSource, {
      ...{ select, parameters, orderBy: 'id', limit: filter.limit },
    });
    return mapRows(rows, withIsoTimes);
  }

  async find(tenantId: string, id: string): Promise<Versioned<DocumentView> | null> {
    const [row] = await queryRows<DocumentRow>(
      this.dataSource,
      `SELECT ${COLUMNS}, document.version FROM ${LAST_GIVEN} WHERE document.tenant_id = $1 AND document.id = $2`,
      [tenantId, id],
    );
    return row ? toVersioned<DocumentView>(row) : null;
  }

  /** Those that are there, by id, whosever they are: whoever asks has asked before whether they are its own. */
  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentView>> {
    const rows = await queryRows<Omit<DocumentRow, 'version'>>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM ${LAST_GIVEN} WHERE document.id = ANY($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, withIsoTimes(row)]));
  }

  /** Of the generation that is searched, in their order; none where the tenant has no such document. */
  async listChunks(
    tenantId: string,
    id: string,
    { afterOrdinal = -1, limit }: { readonly afterOrdinal?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<ChunkView>> {
    const parameters = [tenantId, id, afterOrdinal];
    return readPage(this.dataSource, { select: CHUNKS_SQL, parameters, orderBy: 'ordinal', limit });
  }

  /** Null where none is kept, or the tenant has no such document. */
  async findOriginal(tenantId: string, id: string): Promise<KeptOriginal | null> {
    const [row] = await queryRows<KeptOriginal>(this.dataSource, ORIGINAL_SQL, [tenantId, id]);
    return row ?? null;
  }
}

/** The statement of a list, without its order and limit. */
function listDocumentsQuery(
  tenantId: string,
  { datasourceId, states, afterId }: DocumentFilter,
): { readonly select: string; readonly parameters: readonly unknown[] } {
  const parameters: unknown[] = [];
  const bind: Bind = (value, type) => `$${parameters.push(value)}::${type}`;
  const conditions = [`document.tenant_id = ${bind(tenantId, 'text')}`];
  if (datasourceId !== undefined) conditions.push(`document.datasource_id = ${bind(datasourceId, 'int')}`);
  if (states !== undefined) conditions.push(`given.state = ANY(${bind(states, 'text[]')})`);
  if (afterId !== undefined) conditions.push(`document.id > ${bind(afterId, 'uuid')}`);
  return { select: `SELECT ${COLUMNS} FROM ${LAST_GIVEN} WHERE ${conditions.join(' AND ')}`, parameters };
}

type DocumentRow = RowOf<DocumentView>;

const LAST_GIVEN = `document JOIN document_ingestion AS given
    ON given.document_id = document.id AND given.generation = document.generation`;
const COLUMNS = `document.id, document.datasource_id, document.title, given.source, given.url, given.file_name,
  given.media_type, given.kind, given.size_bytes::float8 AS size_bytes, given.state,
  CASE WHEN given.state = 'chunking' THEN json_build_object('done', given.chunk_count, 'total', NULL)
       ELSE json_build_object('done', given.progress_done, 'total', given.progress_total) END AS progress,
  given.warnings,
  CASE WHEN given.state = 'failed' THEN given.error_code END AS error_code,
  CASE WHEN given.state = 'failed' THEN given.error_text END AS error_text,
  CASE WHEN given.state NOT IN ('ready', 'failed') AND given.error_code IS NOT NULL THEN
         json_build_object('code', given.error_code, 'text', given.error_text, 'tries', given.tries, 'next_try_at',
           to_char(given.due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END AS last_error,
  document.generation, document.live_generation,
  document.created_at, document.updated_at`;
const CHUNKS_SQL = `SELECT chunk.id::float8 AS id, chunk.ordinal, chunk.text, chunk.headings, chunk.page, chunk.token_count
    FROM document JOIN chunk ON chunk.document_id = document.id AND chunk.generation = document.live_generation
   WHERE document.tenant_id = $1 AND document.id = $2 AND chunk.ordinal > $3`;
const ORIGINAL_SQL = `SELECT given.blob_key AS "blobKey", given.size_bytes::float8 AS "sizeBytes",
         given.file_name AS "fileName", document.title
    FROM document JOIN document_ingestion AS given ON given.document_id = document.id
   WHERE document.tenant_id = $1 AND document.id = $2 AND given.blob_key IS NOT NULL
   ORDER BY given.generation DESC LIMIT 1`;
