import {
  DocumentStore,
  type DocumentAcceptance,
  type DocumentSource,
  type KnowledgeQuota,
  type NewDocument,
  type NewDocumentAcceptance,
  type NewGeneration,
} from '#libs/knowledge';
import type { InMemoryKnowledge } from './in-memory-knowledge.js';

/** Documents in memory, without time: an announced disposal never becomes due by itself. */
export class InMemoryDocuments extends DocumentStore {
  constructor(private readonly knowledge: InMemoryKnowledge) {
    super();
  }

  override announceBlob(_tenantId: string, blobKey: string): Promise<void> {
    this.knowledge.disposable.set(blobKey, { isDue: false });
    return Promise.resolve();
  }

  override accept(
    { documentId, ingestionId, tenantId, datasourceId, title, given, idempotency = null }: NewDocument,
    quota: KnowledgeQuota,
  ): Promise<NewDocumentAcceptance> {
    const { datasources, documents } = this.knowledge;
    const known = [...documents.values()].find(
      (kept) =>
        idempotency !== null && kept.tenantId === tenantId && kept.idempotency?.key === idempotency.key,
    );
    if (known !== undefined) {
      const isSame = known.idempotency?.requestSha256 === idempotency?.requestSha256;
      return Promise.resolve(isSame ? { kind: 'repeated', id: known.id } : { kind: 'key_reused' });
    }
    if (datasources.get(datasourceId)?.tenantId !== tenantId) return Promise.resolve({ kind: 'not_found' });
    const bound = this.knowledge.findOverQuota(tenantId, quota, { documents: 1, bytes: sizeOf(given) });
    if (bound !== null) return Promise.resolve({ kind: 'over_quota', bound });
    const document = {
      ...{ id: documentId, tenantId, datasourceId, title },
      ...{ generation: 1, liveGeneration: null, version: 1, idempotency },
    };
    documents.set(documentId, document);
    this.knowledge.addGeneration(document, ingestionId, given);
    return Promise.resolve({ kind: 'accepted', generation: 1, version: 1 });
  }

  override replace(
    { ingestionId, tenantId, documentId, title, given, expected }: NewGeneration,
    quota: KnowledgeQuota,
  ): Promise<DocumentAcceptance> {
    const document = this.knowledge.documents.get(documentId);
    if (document?.tenantId !== tenantId) return Promise.resolve({ kind: 'not_found' });
    if (expected?.includes(document.version) === false) return Promise.resolve({ kind: 'other_version' });
    const givenUp = this.knowledge
      .generationsOf(documentId)
      .filter(({ generation }) => generation !== document.liveGeneration);
    const bound = this.knowledge.findOverQuota(tenantId, quota, { bytes: sizeOf(given) }, givenUp);
    if (bound !== null) return Promise.resolve({ kind: 'over_quota', bound });
    for (const kept of givenUp) this.knowledge.drop(kept);
    document.generation += 1;
    document.version += 1;
    document.title = title ?? document.title;
    this.knowledge.addGeneration(document, ingestionId, given);
    this.knowledge.dropUnsharedEmbeddings(tenantId);
    return Promise.resolve({ kind: 'accepted', generation: document.generation, version: document.version });
  }

  override remove(
    tenantId: string,
    documentId: string,
    expected: readonly number[] | null,
  ): Promise<'removed' | 'not_found' | 'other_version'> {
    const document = this.knowledge.documents.get(documentId);
    if (document?.tenantId !== tenantId) return Promise.resolve('not_found');
    if (expected?.includes(document.version) === false) return Promise.resolve('other_version');
    for (const kept of this.knowledge.generationsOf(documentId)) this.knowledge.drop(kept);
    this.knowledge.documents.delete(documentId);
    this.knowledge.dropUnsharedEmbeddings(tenantId);
    return Promise.resolve('removed');
  }

  override disposableBlobs(limit: number): Promise<readonly string[]> {
    const due = [...this.knowledge.disposable].filter(([, { isDue }]) => isDue).map(([key]) => key);
    return Promise.resolve(due.slice(0, limit));
  }

  override forgetBlobs(blobKeys: readonly string[]): Promise<void> {
    for (const key of blobKeys) this.knowledge.disposable.delete(key);
    return Promise.resolve();
  }

  override putOffBlobs(blobKeys: readonly string[]): Promise<void> {
    const { disposable } = this.knowledge;
    for (const key of blobKeys) if (disposable.has(key)) disposable.set(key, { isDue: false });
    return Promise.resolve();
  }
}

function sizeOf(given: DocumentSource): number {
  return given.source === 'url' ? 1 : given.original.sizeBytes;
}
