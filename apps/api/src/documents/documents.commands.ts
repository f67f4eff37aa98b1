import { Injectable } from '@nestjs/common';
import { assertNever } from '#libs/kernel';
import {
  DocumentChangesStore,
  type DocumentView,
  type ExpectedVersions,
  type Versioned,
} from '#libs/persistence';
import { v7 as uuidv7 } from 'uuid';
import { otherVersion } from '../http/entity-tag.js';
import { documentNotFound, overQuota, unknownDatasource } from './documents.faults.js';
import { DocumentsQueries } from './documents.queries.js';
import { GivenDocuments, titleOf, type GivenDocument } from './given-documents.js';
import { IngestionDispatcher } from './ingestion-dispatcher.js';
import { OriginalKeeper } from './original-keeper.js';

interface ContentFields {
  readonly title?: string | undefined;
}
interface NewFields extends ContentFields {
  readonly datasource_id: number;
}

/** Taking documents of a tenant in, and removing them. */
@Injectable()
export class DocumentsCommands {
  constructor(
    private readonly documents: DocumentChangesStore,
    private readonly queries: DocumentsQueries,
    private readonly givenDocuments: GivenDocuments,
    private readonly originals: OriginalKeeper,
    private readonly dispatcher: IngestionDispatcher,
  ) {}

  /** Throws `VALIDATION_ERROR`, `KNOWLEDGE_QUOTA_EXCEEDED`. */
  async create(
    tenantId: string,
    { fields, given }: GivenDocument<NewFields>,
  ): Promise<Versioned<DocumentView>> {
    const [documentId, ingestionId] = [uuidv7(), uuidv7()];
    const acceptance = await this.documents.accept(
      {
        ...{ documentId, ingestionId, tenantId, given },
        datasourceId: fields.datasource_id,
        title: fields.title ?? titleOf(given),
      },
      this.originals.bounds.quota,
    );
    if (acceptance.kind !== 'accepted') await this.givenDocuments.drop(given);
    switch (acceptance.kind) {
      case 'accepted':
        this.dispatcher.trigger();
        return this.queries.find(tenantId, documentId);
      case 'over_quota':
        throw overQuota(acceptance.bound);
      case 'not_found':
      case 'other_version':
        throw unknownDatasource();
      default:
        return assertNever(acceptance);
    }
  }

  /** What is searched stays until this is ready. Throws `NOT_FOUND`, `VERSION_CHANGED`, `KNOWLEDGE_QUOTA_EXCEEDED`. */
  async replace(
    tenantId: string,
    documentId: string,
    { fields: { title = null }, given }: GivenDocument<ContentFields>,
    expected: ExpectedVersions,
  ): Promise<Versioned<DocumentView>> {
    const acceptance = await this.documents.replace(
      { ingestionId: uuidv7(), tenantId, documentId, title, given, expected },
      this.originals.bounds.quota,
    );
    if (acceptance.kind !== 'accepted') await this.givenDocuments.drop(given);
    switch (acceptance.kind) {
      case 'accepted':
        this.dispatcher.trigger();
        return this.queries.find(tenantId, documentId);
      case 'over_quota':
        throw overQuota(acceptance.bound);
      case 'not_found':
        throw documentNotFound();
      case 'other_version':
        throw otherVersion();
      default:
        return assertNever(acceptance);
    }
  }

  /** Also while it is taken in. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const removal = await this.documents.remove(tenantId, id, expected);
    if (removal === 'not_found') throw documentNotFound();
    if (removal === 'other_version') throw otherVersion();
  }
}
