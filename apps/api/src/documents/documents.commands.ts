import { Injectable } from '@nestjs/common';
import { assertNever, type AppError } from '#libs/kernel';
import type { DocumentAcceptance, DocumentSource } from '#libs/knowledge';
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

  /** Throws `VALIDATION_ERROR`, `KNOWLEDGE_QUOTA_EXCEEDED`, `DOCUMENTS_NOT_CONFIGURED`. */
  async create(
    tenantId: string,
    { fields, given }: GivenDocument<NewFields>,
  ): Promise<Versioned<DocumentView>> {
    const documentId = uuidv7();
    const document = {
      ...{ documentId, ingestionId: uuidv7(), tenantId, given },
      datasourceId: fields.datasource_id,
      title: fields.title ?? titleOf(given),
    };
    const acceptance = await this.documents.accept(document, this.originals.bounds.quota);
    if (acceptance.kind !== 'accepted') throw await this.refuse(given, acceptance, unknownDatasource);
    this.dispatcher.trigger();
    return this.queries.find(tenantId, documentId);
  }

  /**
   * What is searched stays until this is ready. Throws `NOT_FOUND`, `VERSION_CHANGED`, `KNOWLEDGE_QUOTA_EXCEEDED`,
   * `DOCUMENTS_NOT_CONFIGURED`.
   */
  async replace(
    tenantId: string,
    documentId: string,
    { fields, given }: GivenDocument<ContentFields>,
    expected: ExpectedVersions,
  ): Promise<Versioned<DocumentView>> {
    const title = fields.title ?? null;
    const generation = { ingestionId: uuidv7(), tenantId, documentId, title, given, expected };
    const acceptance = await this.documents.replace(generation, this.originals.bounds.quota);
    if (acceptance.kind !== 'accepted') throw await this.refuse(given, acceptance, documentNotFound);
    this.dispatcher.trigger();
    return this.queries.find(tenantId, documentId);
  }

  /** Also while it is taken in. Throws `NOT_FOUND`, `VERSION_CHANGED`. */
  async delete(tenantId: string, id: string, expected: ExpectedVersions): Promise<void> {
    const removal = await this.documents.remove(tenantId, id, expected);
    if (removal === 'not_found') throw documentNotFound();
    if (removal === 'other_version') throw otherVersion();
  }

  /** Nothing of what is refused is kept. Answers the fault. */
  private async refuse(
    given: DocumentSource,
    refusal: Exclude<DocumentAcceptance, { kind: 'accepted' }>,
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
      default:
        return assertNever(refusal);
    }
  }
}
