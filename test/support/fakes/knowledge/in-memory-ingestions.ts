import {
  IngestionStore,
  type ClaimedIngestion,
  type DocumentKind,
  type DocumentWarning,
  type DueIngestion,
  type EmbeddedText,
  type EmbeddingUsage,
  type Fenced,
  type HashedChunk,
  type IngestionDispatchOptions,
  type IngestionFence,
  type IngestionState,
  type KnowledgeQuota,
  type Original,
  type OverQuota,
  type Setback,
  type UnembeddedText,
} from '#libs/knowledge';
import type { InMemoryKnowledge, KeptIngestion } from './in-memory-knowledge.js';

/** Ingestions in memory, without time: a sent one counts as lost only if `redispatchAfterMs` is 0. */
export class InMemoryIngestions extends IngestionStore {
  constructor(private readonly knowledge: InMemoryKnowledge) {
    super();
  }

  override take(options: IngestionDispatchOptions): Promise<readonly DueIngestion[]> {
    const { queueTarget, tenantTarget, redispatchAfterMs } = options;
    const open = [...this.knowledge.ingestions.values()].filter((kept) => !isFinished(kept));
    const isFree = (kept: KeptIngestion) => kept.token === null || kept.isLeaseOver;
    const isDue = (kept: KeptIngestion) =>
      kept.isDue && isFree(kept) && (!kept.isSent || redispatchAfterMs === 0);
    const busy = open.filter((kept) => !isDue(kept) && (kept.isSent || !isFree(kept)));
    const ofTenant = new Map<string, number>();
    for (const { document } of busy)
      ofTenant.set(document.tenantId, (ofTenant.get(document.tenantId) ?? 0) + 1);
    const ranked = open.filter(isDue).map((kept) => {
      const rank = (ofTenant.get(kept.document.tenantId) ?? 0) + 1;
      ofTenant.set(kept.document.tenantId, rank);
      return { kept, rank };
    });
    const taken = ranked
      .filter(({ rank }) => rank <= tenantTarget)
      .sort((a, b) => a.rank - b.rank)
      .slice(0, Math.max(0, queueTarget - busy.length));
    for (const { kept } of taken) kept.isSent = true;
    return Promise.resolve(taken.map(({ kept }) => ({ ingestionId: kept.id })));
  }

  override requeue(due: readonly DueIngestion[]): Promise<void> {
    for (const { ingestionId } of due) {
      const kept = this.knowledge.ingestions.get(ingestionId);
      if (kept !== undefined) kept.isSent = false;
    }
    return Promise.resolve();
  }

  override claim(ingestionId: string, token: string): Promise<ClaimedIngestion | null> {
    const kept = this.knowledge.ingestions.get(ingestionId);
    if (kept === undefined || isFinished(kept) || !kept.isDue) return Promise.resolve(null);
    if (kept.token !== null && !kept.isLeaseOver) return Promise.resolve(null);
    if (kept.token !== null) kept.losses += 1;
    Object.assign(kept, { token, isLeaseOver: false, isSent: false });
    const { original, url, fileName, mediaType, state, tries, losses, generation, document } = kept;
    const { id: documentId, tenantId, datasourceId, title } = document;
    const settings = this.knowledge.settingsOf(kept);
    return Promise.resolve({
      ...{ ingestionId, token, tenantId, datasourceId, documentId, generation, title },
      ...{ state, original, url, fileName, mediaType, tries, losses },
      settings: {
        ...{ llmId: settings.llmId, embedModel: settings.embedModel, dimensions: settings.dimensions },
        ...{ chunkTokens: settings.chunkTokens, overlapTokens: settings.overlapTokens },
      },
    });
  }

  override renew(fence: IngestionFence): Promise<Fenced> {
    return this.write(fence, () => undefined);
  }

  override begin(fence: IngestionFence, state: IngestionState): Promise<Fenced> {
    return this.write(fence, (kept) => (kept.state = state));
  }

  override keepOriginal(
    fence: IngestionFence,
    fetched: {
      readonly original: Original;
      readonly mediaType: string | null;
      readonly fileName: string | null;
    },
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }> {
    const { original, mediaType, fileName } = fetched;
    return this.writeWithin(fence, quota, { bytes: original.sizeBytes }, (kept) => {
      Object.assign(kept, { original, mediaType, fileName, state: 'parsing', ...WELL });
      this.knowledge.disposable.delete(original.blobKey);
    });
  }

  override beginChunks(fence: IngestionFence, _kind: DocumentKind): Promise<Fenced> {
    return this.write(fence, (kept) => Object.assign(kept, { chunks: [], state: 'chunking' }));
  }

  override addChunks(
    fence: IngestionFence,
    chunks: readonly HashedChunk[],
    quota: KnowledgeQuota,
  ): Promise<Fenced | { readonly overQuota: OverQuota }> {
    return this.writeWithin(fence, quota, { chunks: chunks.length }, (kept) => {
      this.knowledge.keepChunks(kept, chunks);
    });
  }

  override endChunks(fence: IngestionFence, warnings: readonly DocumentWarning[]): Promise<Fenced> {
    return this.write(fence, (kept) => Object.assign(kept, { state: 'embedding', warnings, ...WELL }));
  }

  override findUnembedded(fence: IngestionFence, limit: number): Promise<readonly UnembeddedText[]> {
    const kept = this.knowledge.held(fence);
    if (kept === null) return Promise.resolve([]);
    const missing = new Map<string, UnembeddedText>();
    for (const { contentHash, headings, text, tokens } of kept.chunks) {
      const isThere = this.knowledge.embeddings.has(this.knowledge.embeddingKey(kept, contentHash));
      const key = contentHash.toString('hex');
      if (!isThere && !missing.has(key)) missing.set(key, { contentHash, headings, text, tokens });
    }
    return Promise.resolve([...missing.values()].slice(0, limit));
  }

  override beginCall(fence: IngestionFence): Promise<number | null> {
    const kept = this.knowledge.held(fence);
    if (kept === null) return Promise.resolve(null);
    kept.calls += 1;
    kept.isCallOpen = true;
    const { embedModel: model } = this.knowledge.settingsOf(kept);
    const unknown = { call: kept.calls, state: 'unknown', model, inputTokens: null, costUsd: null } as const;
    this.knowledge.usage.push({ ...unknown, ingestionId: kept.id });
    return Promise.resolve(kept.calls);
  }

  override endCall(
    fence: IngestionFence,
    usage: EmbeddingUsage,
    embedded: readonly EmbeddedText[],
  ): Promise<Fenced> {
    const { usage: rows } = this.knowledge;
    const at = rows.findIndex((row) => row.ingestionId === fence.ingestionId && row.call === usage.call);
    if (at >= 0) rows[at] = { ...usage, ingestionId: fence.ingestionId };
    return this.write(fence, (kept) => {
      for (const { contentHash, vector } of embedded)
        this.knowledge.embeddings.set(this.knowledge.embeddingKey(kept, contentHash), vector);
      kept.isCallOpen = false;
      if (embedded.length > 0) Object.assign(kept, WELL);
    });
  }

  override async publish(fence: IngestionFence): Promise<Fenced | 'incomplete'> {
    if ((await this.findUnembedded(fence, 1)).length > 0) return 'incomplete';
    return this.write(fence, (kept) => {
      for (const other of this.knowledge.generationsOf(kept.document.id))
        if (other !== kept) this.knowledge.drop(other);
      kept.document.liveGeneration = kept.generation;
      Object.assign(kept, { state: 'ready', token: null, isSent: false, ...WELL });
      this.knowledge.dropUnsharedEmbeddings(kept.document.tenantId);
    });
  }

  override fail(
    fence: IngestionFence,
    error: { readonly code: string; readonly text: string },
  ): Promise<Fenced> {
    return this.write(fence, (kept) => {
      Object.assign(kept, { state: 'failed', error, chunks: [], token: null, isSent: false });
      this.knowledge.dropUnsharedEmbeddings(kept.document.tenantId);
    });
  }

  override putOff(fence: IngestionFence, delayMs: number, setback: Setback | null): Promise<Fenced> {
    return this.write(fence, (kept) => {
      if (setback?.isTry === true) kept.tries += 1;
      if (setback !== null) kept.error = { code: setback.code, text: setback.text };
      Object.assign(kept, { token: null, isDue: delayMs === 0, isSent: false, losses: 0 });
    });
  }

  private write(fence: IngestionFence, change: (kept: KeptIngestion) => unknown): Promise<Fenced> {
    const kept = this.knowledge.held(fence);
    if (kept === null) return Promise.resolve('lost');
    change(kept);
    return Promise.resolve('written');
  }

  private writeWithin(
    fence: IngestionFence,
    quota: KnowledgeQuota,
    more: { readonly bytes?: number; readonly chunks?: number },
    change: (kept: KeptIngestion) => unknown,
  ): Promise<Fenced | { readonly overQuota: OverQuota }> {
    const kept = this.knowledge.held(fence);
    if (kept === null) return Promise.resolve('lost');
    const overQuota = this.knowledge.findOverQuota(kept.document.tenantId, quota, more);
    return overQuota === null ? this.write(fence, change) : Promise.resolve({ overQuota });
  }
}

/** The counters after a success. */
const WELL = { tries: 0, losses: 0, error: null };

function isFinished({ state }: KeptIngestion): boolean {
  return state === 'ready' || state === 'failed';
}
