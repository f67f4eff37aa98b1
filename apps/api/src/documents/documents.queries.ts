import { Injectable } from '@nestjs/common';
import { DocumentViewStore, type ChunkView, type DocumentView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { DocumentChunkListQuery, DocumentListQuery } from './documents.dto.js';
import { documentNotFound, originalNotFound } from './documents.faults.js';
import { OriginalKeeper } from './original-keeper.js';

/** An original, to be read once. */
interface OpenOriginal {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly sizeBytes: number;
  /** Its own name, or the title of its document. */
  readonly name: string;
}

/** Reading the documents of a tenant. */
@Injectable()
export class DocumentsQueries {
  constructor(
    private readonly documents: DocumentViewStore,
    private readonly originals: OriginalKeeper,
  ) {}

  /** By id, ascending: oldest first. */
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

  /** Of the generation that is searched, in their order. Throws `NOT_FOUND`. */
  async listChunks(
    tenantId: string,
    id: string,
    { cursor: afterOrdinal, limit }: DocumentChunkListQuery,
  ): Promise<Page<ChunkView>> {
    await this.find(tenantId, id);
    const chunks = await this.documents.listChunks(tenantId, id, { afterOrdinal, limit });
    return toPage(chunks, ({ ordinal }) => ordinal);
  }

  /** As it was given last. Throws `NOT_FOUND`, also where it is not fetched yet; `DOCUMENTS_NOT_CONFIGURED`. */
  async openOriginal(tenantId: string, id: string): Promise<OpenOriginal> {
    await this.find(tenantId, id);
    const original = await this.documents.findOriginal(tenantId, id);
    const bytes = original && (await this.originals.open(original.blobKey));
    if (original === null || bytes === null) throw originalNotFound();
    return { bytes, sizeBytes: original.sizeBytes, name: original.fileName ?? original.title };
  }
}
