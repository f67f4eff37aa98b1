import { Injectable } from '@nestjs/common';
import { DocumentViewStore, type DocumentView, type Versioned } from '#libs/persistence';
import { byId, toPage, type Page } from '../http/page.js';
import type { DocumentListQuery } from './documents.dto.js';
import { documentNotFound } from './documents.faults.js';

/** Reading the documents of a tenant. */
@Injectable()
export class DocumentsQueries {
  constructor(private readonly documents: DocumentViewStore) {}

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
}
