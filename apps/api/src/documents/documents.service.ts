import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import {
  DocumentViewStore,
  type ChunkView,
  type DocumentView,
  type Versioned,
  DocumentChangesStore,
  type ExpectedVersions,
} from '#libs/persistence';
import { assertNever, type AppError } from '#libs/kernel';
import type { DocumentSource, NewDocumentAcceptance, RequestKey } from '#libs/knowledge';
import { byId, toPage, type Page } from '../http/page.js';
import { idempotencyKeyReused } from '../idempotency/idempotency.errors.js';
import { otherVersion } from '../http/entity-tag.js';
import { requestKeyOf, type MadeOnce } from '../uploads/repeatable-upload.js';
import type { DocumentChunkListQuery, DocumentListQuery } from './documents.dto.js';
import { documentNotFound, originalNotFound, overQuota, unknownDatasource } from './documents.errors.js';
import { OriginalKeeper } from './original-keeper.js';
import { GivenDocuments, titleOf, type GivenDocument } from './given-documents.js';
import { IngestionDispatcher } from './ingestion-dispatcher.js';

/** An original that can be read once. */
interface OpenOriginal {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly sizeBytes: number;
  /** The original's file name, or the title of its document. */
  readonly name: string;
}

interface ContentFields {
  readonly title?: string | undefined;
}

interface NewFields extends ContentFields {
  readonly datasource_id: number;
}

/** Lists, reads, accepts, replaces and deletes the documents of a tenant. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentViewStore,
    private readonly changes: DocumentChangesStore,
    private readonly originals: OriginalKeeper,
    private readonly givenDocuments: GivenDocuments,
    private readonly dispatcher: IngestionDispatcher,
  ) {}

  /** Sorted by ascending id, so oldest first. */
  async list(
    tenantId: string,
    { datasource_id: datasourceId, state: states, cursor: afterId, limit }: DocumentListQuery,
  ): Promise<Page<DocumentView>> {
    return toPage(await this.documents.list(tenantId, { datasourceId, states, afterId, limit }), byId);
  }

  /** Throws `NOT_FOUND`. */
  async find(tenantId: string, id: string): Promise<Versioned<DocumentView>> {
    const document = await this.documents.find(tenantId, id);
    if (document === null) throw documentNotFound();
    return document;
  }

  /** Chunks of the searchable generation, by ordinal. Throws `NOT_FOUND`. */
  async listChunks(
    tenantId: string,
    id: string,
    { cursor: afterOrdinal, limit }: DocumentChunkListQuery,
  ): Promise<Page<ChunkView>> {
    await this.find(tenantId, id);
    const chunks = await this.documents.listChunks(tenantId, id, { afterOrdinal, limit });
    return toPage(chunks, ({ ordinal }) => ordinal);
  }

  /** The newest original. Throws `NOT_FOUND`, also before a worker has fetched it; `DOCUMENTS_NOT_CONFIGURED`. */
  async openOriginal(tenantId: string, id: string): Promise<OpenOriginal> {
    await this.find(tenantId, id);
    const original = await this.documents.findOriginal(tenantId, id);
    const bytes = original && (await this.originals.open(original.blobKey));
    if (original === null || bytes === null) throw originalNotFound();
    return { bytes, sizeBytes: original.sizeBytes, name: original.fileName ?? original.title };
  }

  /**
   * Creates the document, or returns the one that an earlier request made under the same key. Throws `VALIDATION_ERROR`,
   * `KNOWLEDGE_QUOTA_EXCEEDED`, `IDEMPOTENCY_KEY_REUSED`, `DOCUMENTS_NOT_CONFIGURED`.
   */
  async create(
    tenantId: string,
    { fields, given }: GivenDocument<NewFields>,
    key: string | null,
  ): Promise<MadeOnce<DocumentView>> {
    const documentId = uuidv7();
    const { datasource_id: datasourceId, title = titleOf(given) } = fields;
    const idempotency = keyOfDocument(key, { datasource_id: datasourceId, title }, given);
    const acceptance = await this.changes.accept(
      { documentId, ingestionId: uuidv7(), tenantId, datasourceId, title, given, idempotency },
      this.originals.bounds.quota,
    );
    if (acceptance.kind === 'repeated') {
      await this.givenDocuments.drop(given);
      return { ...(await this.find(tenantId, acceptance.id)), isReplayed: true };
    }
    if (acceptance.kind !== 'accepted') throw await this.refuse(given, acceptance, unknownDatasource);
    this.dispatcher.trigger();
    return { ...(await this.find(tenantId, documentId)), isReplayed: false };
  }

  /**
   * The previous generation stays searchable until the new one is ready. Throws `NOT_FOUND`, `VERSION_CHANGED`,
   * `KNOWLEDGE_QUOTA_EXCEEDED`, `DOCUMENTS_NOT_CONFIGURED`.
   */
  async replace(
    tenantId: string,
    documentId: string,
    { fields, given }: GivenDocument<ContentFields>,
    expected: ExpectedVersions,
  ): Promise<Versioned<DocumentView>> {
    const title = fields.title ?? null;
    const generation = { ingestionId: uuidv7(), tenantId, documentId, title, given, expected };
    const acceptance = await this.changes.replace(generation, this.originals.bounds.quota);
    if (acceptance.kind !== 'accepted') throw await this.refuse(given, acceptance, documentNotFound);
    this.dispatcher.trigger();
    return this.find(tenantId, documentId);
  }

  /** Deletes the document, also during its ingestion. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const removal = await this.changes.remove(tenantId, id, expected);
    if (removal === 'not_found') throw documentNotFound();
    if (removal === 'other_version') throw otherVersion();
  }

  /** Drops the uploaded original and returns the error to throw. */
  private async refuse(
    given: DocumentSource,
    refusal: Exclude<NewDocumentAcceptance, { kind: 'accepted' | 'repeated' }>,
    notFound: () => AppError,
  ): Promise<AppError> {
    await this.givenDocuments.drop(given);
    switch (refusal.kind) {
      case 'over_quota':
        return overQuota(refusal.bound);
      case 'not_found':
        return notFound();
      case 'other_version':
        return otherVersion();
      case 'key_reused':
        return idempotencyKeyReused();
      default:
        return assertNever(refusal);
    }
  }
}

/** Pure: the fingerprint by which two requests under one key are compared. */
function keyOfDocument(
  key: string | null,
  fields: { readonly datasource_id: number; readonly title: string },
  given: DocumentSource,
): RequestKey | null {
  const route = 'POST /api/documents/';
  const { source } = given;
  if (given.source === 'url') return requestKeyOf(key, route, { ...fields, source, url: given.url }, null);
  const { fileName: file_name, mediaType: media_type, original } = given;
  return requestKeyOf(key, route, { ...fields, source, file_name, media_type }, original);
}
