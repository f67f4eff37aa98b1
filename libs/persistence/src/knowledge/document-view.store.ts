import type { DocumentWarning, IngestionState } from '#libs/knowledge';
import { Any, MoreThan, type DataSource, type Repository, type SelectQueryBuilder } from 'typeorm';
import { ChunkEntity } from '../entities/chunk.entity.js';
import { DocumentIngestionEntity } from '../entities/document-ingestion.entity.js';
import { DocumentEntity } from '../entities/document.entity.js';
import { mapRows, readEntityPage, type RowsOfPage } from '../rows/bounded-page.js';
import { versionedView } from '../rows/versioned-repository.js';
import type { Versioned } from '../rows/versioned.js';

/** A document as the API shows it. Its state and source are those of the generation that was given last. */
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
  /** The last failure that is tried again; null as soon as anything succeeds. */
  readonly last_error: {
    readonly code: string;
    readonly text: string;
    /** Failures in a row; an outage is none. */
    readonly tries: number;
    /** The earliest time of the next try. */
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

/** The newest original of a document that is kept. */
interface KeptOriginal {
  readonly blobKey: string;
  readonly sizeBytes: number;
  /** Null if it came without one. */
  readonly fileName: string | null;
  readonly title: string;
}

/** A document with one of its generations. */
type GivenDocument = DocumentEntity & { readonly given: DocumentIngestionEntity };

/** Documents as tenants see them. */
export class DocumentViewStore {
  private readonly documents: Repository<DocumentEntity>;
  private readonly chunks: Repository<ChunkEntity>;

  constructor(dataSource: DataSource) {
    this.documents = dataSource.getRepository(DocumentEntity);
    this.chunks = dataSource.getRepository(ChunkEntity);
  }

  /** By id, ascending: oldest first. */
  async list(
    tenantId: string,
    { datasourceId, states, afterId, limit }: DocumentFilter,
  ): Promise<RowsOfPage<DocumentView>> {
    const documents = this.lastGiven().where({
      tenantId,
      ...(datasourceId !== undefined && { datasourceId }),
      ...(afterId !== undefined && { id: MoreThan(afterId) }),
    });
    if (states !== undefined) documents.andWhere('given.state = ANY(:states)', { states });
    const found = await many(documents.orderBy('document.id').limit(limit + 1));
    return { rows: found.slice(0, limit).map(toView), hasMore: found.length > limit };
  }

  async find(tenantId: string, id: string): Promise<Versioned<DocumentView> | null> {
    const [document] = await many(this.lastGiven().where({ tenantId, id }));
    return document ? versionedView(document, toView) : null;
  }

  /** Documents of any tenant by id. The caller has asked before whether they are its own. */
  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, DocumentView>> {
    const found = await many(this.lastGiven().where({ id: Any(ids) }));
    return new Map(found.map((document) => [document.id, toView(document)]));
  }

  /** Chunks of the generation that is searched, in their order; none where the tenant has no such document. */
  async listChunks(
    tenantId: string,
    id: string,
    { afterOrdinal = -1, limit }: { readonly afterOrdinal?: number | undefined; readonly limit: number },
  ): Promise<RowsOfPage<ChunkView>> {
    const chunks = this.chunks
      .createQueryBuilder('chunk')
      .innerJoin(DocumentEntity, 'document', IS_LIVE)
      .where('document.tenantId = :tenantId AND document.id = :id', { tenantId, id })
      .andWhere({ ordinal: MoreThan(afterOrdinal) });
    const page = { orderBy: 'ordinal', limit, instead: WITHOUT_INDEXED };
    return mapRows(await readEntityPage(this.chunks, chunks, page), toChunkView);
  }

  /** Null if none is kept, or the tenant has no such document. */
  async findOriginal(tenantId: string, id: string): Promise<KeptOriginal | null> {
    const kept = this.given('given.documentId = document.id AND given.blobKey IS NOT NULL');
    const last = kept.where({ tenantId, id }).orderBy('given.generation', 'DESC').limit(1);
    const [document] = await many(last);
    if (document === undefined || document.given.blobKey === null) return null;
    const { blobKey, sizeBytes, fileName } = document.given;
    return { blobKey, sizeBytes: Number(sizeBytes), fileName, title: document.title };
  }

  private lastGiven(): SelectQueryBuilder<DocumentEntity> {
    return this.given('given.documentId = document.id AND given.generation = document.generation');
  }

  private given(condition: string): SelectQueryBuilder<DocumentEntity> {
    const documents = this.documents.createQueryBuilder('document');
    return documents.innerJoinAndMapOne('document.given', DocumentIngestionEntity, 'given', condition);
  }
}

async function many(documents: SelectQueryBuilder<DocumentEntity>): Promise<GivenDocument[]> {
  return (await documents.getMany()) as GivenDocument[];
}

const IS_LIVE = 'document.id = chunk.documentId AND document.liveGeneration = chunk.generation';
/** Neither the hash nor the words of chunks are shown. */
const WITHOUT_INDEXED = { contentHash: 'NULL::bytea', search: 'NULL::text' };

function toView({ given, ...document }: GivenDocument): DocumentView {
  const { source, url, fileName: file_name, mediaType: media_type, kind, sizeBytes, state, warnings } = given;
  const isFailed = state === 'failed';
  return {
    ...{ id: document.id, datasource_id: document.datasourceId, title: document.title },
    ...{ source, url, file_name, media_type, kind },
    size_bytes: sizeBytes === null ? null : Number(sizeBytes),
    ...{ state, progress: toProgress(given), warnings },
    error_code: isFailed ? given.errorCode : null,
    error_text: isFailed ? given.errorText : null,
    last_error: toLastError(given),
    ...{ generation: document.generation, live_generation: document.liveGeneration },
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

function toProgress(given: DocumentIngestionEntity): DocumentView['progress'] {
  return given.state === 'chunking'
    ? { done: given.chunkCount, total: null }
    : { done: given.progressDone, total: given.progressTotal };
}

function toLastError(given: DocumentIngestionEntity): DocumentView['last_error'] {
  const { state, errorCode: code, errorText, tries, dueAt } = given;
  if (state === 'ready' || state === 'failed' || code === null) return null;
  return { code, text: errorText ?? '', tries, next_try_at: dueAt.toISOString() };
}

function toChunkView({ id, ordinal, text, headings, page, tokenCount }: ChunkEntity): ChunkView {
  return { id: Number(id), ordinal, text, headings, page, token_count: tokenCount };
}
