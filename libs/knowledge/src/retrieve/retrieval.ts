import type { FoundChunk } from '../ports/chunk-index.js';
import type { EmbeddingUsage } from '../ports/ingestion-store.js';

/** Ranking across datasources: one common ranking, or one per datasource, merged by rank. */
export type RetrievalMode = 'UNION' | 'MERGE_RANK';

/** `HASH_EXACT` returns chunks with equal headings and text only once. */
export type DedupStrategy = 'NONE' | 'HASH_EXACT';

/** A search (3.H-13). */
export interface RetrievalQuery {
  readonly tenantId: string;
  readonly datasourceIds: readonly number[];
  readonly question: string;
  /** Maximum number of hits. */
  readonly topK: number;
  /** Minimum similarity of hits, 0 to 1. */
  readonly scoreThreshold: number;
  readonly mode: RetrievalMode;
  readonly dedup: DedupStrategy;
  /** Model that all datasources must be embedded with; null allows any. */
  readonly embedModel: string | null;
}

export interface RetrievalHit extends Omit<FoundChunk, 'vector'> {
  /** Cosine similarity of question and chunk, 0 to 1. `rank` also considers matching words. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
}

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly RetrievalHit[];
  /** Number of ranked chunks, before threshold, deduplication and `topK`. */
  readonly totalCandidates: number;
  /** Ids of the searched datasources, without duplicates. */
  readonly datasources: readonly number[];
  /** Embedding calls of the question, one per space. */
  readonly calls: readonly EmbeddingUsage[];
}

/**
 * - `datasource_gone`: the tenant has no such datasource
 * - `other_model`: a datasource is embedded with another model than the query names
 * - `embedding_failed`: the question could not be embedded
 */
export type RetrievalFault = 'datasource_gone' | 'other_model' | 'embedding_failed';

export class RetrievalError extends Error {
  /**
   * @param message text for people, without exception text or secrets
   * @param isPassing true if the same query may succeed later
   * @param calls embedding calls made before the failure
   */
  constructor(
    readonly fault: RetrievalFault,
    message: string,
    readonly isPassing = false,
    readonly calls: readonly EmbeddingUsage[] = [],
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = 'RetrievalError';
  }
}
