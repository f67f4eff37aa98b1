import {
  findOverQuota,
  type DocumentSource,
  type DocumentWarning,
  type EmbeddingUsage,
  type HashedChunk,
  type IngestionFence,
  type IngestionSettings,
  type IngestionState,
  type KnowledgeQuota,
  type KnowledgeUse,
  type Original,
  type OverQuota,
  type RequestKey,
} from '#libs/knowledge';

export interface KeptDocument {
  readonly id: string;
  readonly tenantId: string;
  readonly datasourceId: number;
  title: string;
  generation: number;
  liveGeneration: number | null;
  version: number;
  readonly idempotency?: RequestKey | null;
}

/** A stored chunk, with an id that is counted over all documents. */
export interface KeptChunk extends HashedChunk {
  readonly id: number;
}

export interface KeptIngestion {
  readonly id: string;
  readonly document: KeptDocument;
  readonly generation: number;
  readonly url: string | null;
  original: Original | null;
  fileName: string | null;
  mediaType: string | null;
  state: IngestionState;
  tries: number;
  losses: number;
  calls: number;
  isCallOpen: boolean;
  /** No clock runs here: an ingestion is due or not, sent or not, leased or not. */
  isDue: boolean;
  isSent: boolean;
  token: string | null;
  isLeaseOver: boolean;
  /** The error that it failed with, or that delayed it last. */
  error: { readonly code: string; readonly text: string } | null;
  chunks: KeptChunk[];
  warnings: readonly DocumentWarning[];
}

/** The data that the stores in memory share. */
export class InMemoryKnowledge {
  readonly datasources = new Map<number, IngestionSettings & { readonly tenantId: string }>();
  readonly documents = new Map<string, KeptDocument>();
  readonly ingestions = new Map<string, KeptIngestion>();
  /** Keyed by tenant, model and content hash. */
  readonly embeddings = new Map<string, Buffer>();
  readonly usage: (EmbeddingUsage & { readonly ingestionId: string })[] = [];
  readonly disposable = new Map<string, { isDue: boolean }>();

  private chunkCount = 0;

  keepChunks(kept: KeptIngestion, chunks: readonly HashedChunk[]): void {
    kept.chunks.push(...chunks.map((chunk) => ({ ...chunk, id: ++this.chunkCount })));
  }

  addGeneration(document: KeptDocument, ingestionId: string, given: DocumentSource): void {
    const isUrl = given.source === 'url';
    this.ingestions.set(ingestionId, {
      ...{ id: ingestionId, document, generation: document.generation },
      url: isUrl ? given.url : null,
      original: isUrl ? null : given.original,
      fileName: isUrl ? null : given.fileName,
      mediaType: isUrl ? null : given.mediaType,
      ...{ state: 'waiting', tries: 0, losses: 0, calls: 0, isCallOpen: false },
      ...{
        isDue: true,
        isSent: false,
        token: null,
        isLeaseOver: false,
        error: null,
        chunks: [],
        warnings: [],
      },
    });
    if (!isUrl) this.disposable.delete(given.original.blobKey);
  }

  generationsOf(documentId: string): readonly KeptIngestion[] {
    return [...this.ingestions.values()].filter(({ document }) => document.id === documentId);
  }

  /** The ingestion that the fence holds; null if another worker has taken it. */
  held({ ingestionId, token }: IngestionFence): KeptIngestion | null {
    const kept = this.ingestions.get(ingestionId);
    return kept?.token === token ? kept : null;
  }

  /** Deletes a generation and schedules the removal of its blob. */
  drop(kept: KeptIngestion): void {
    this.ingestions.delete(kept.id);
    if (kept.original !== null) this.disposable.set(kept.original.blobKey, { isDue: true });
  }

  settingsOf(kept: KeptIngestion): IngestionSettings {
    const settings = this.datasources.get(kept.document.datasourceId);
    if (settings === undefined) throw new Error('no such datasource');
    return settings;
  }

  embeddingKey(kept: KeptIngestion, contentHash: Buffer): string {
    const { llmId, embedModel, dimensions } = this.settingsOf(kept);
    return [kept.document.tenantId, llmId, embedModel, dimensions, contentHash.toString('hex')].join('/');
  }

  /** Deletes the vectors that no chunk of the tenant uses any more. */
  dropUnsharedEmbeddings(tenantId: string): void {
    const shared = new Set(
      [...this.ingestions.values()]
        .filter(({ document }) => document.tenantId === tenantId)
        .flatMap((kept) => kept.chunks.map(({ contentHash }) => contentHash.toString('hex'))),
    );
    for (const key of this.embeddings.keys()) {
      const hash = key.slice(key.lastIndexOf('/') + 1);
      if (key.startsWith(`${tenantId}/`) && !shared.has(hash)) this.embeddings.delete(key);
    }
  }

  /** @param without ingestions that are to be deleted, and do not count */
  findOverQuota(
    tenantId: string,
    quota: KnowledgeQuota,
    more: Partial<KnowledgeUse>,
    without: readonly KeptIngestion[] = [],
  ): OverQuota | null {
    const kept = [...this.ingestions.values()].filter(
      (ingestion) => ingestion.document.tenantId === tenantId && !without.includes(ingestion),
    );
    const use = {
      documents: [...this.documents.values()].filter((document) => document.tenantId === tenantId).length,
      bytes: kept.reduce((sum, { original }) => sum + (original?.sizeBytes ?? 0), 0),
      chunks: kept.reduce((sum, { chunks }) => sum + chunks.length, 0),
    };
    return findOverQuota(quota, use, more);
  }
}
