import type { FoundChunk } from '../ports/chunk-index.js';
import type { EmbeddingUsage } from '../ports/ingestion-store.js';

/** How datasources compete: all chunks in one ranking, or each datasource in a ranking of its own, merged by rank. */
export type RetrievalMode = 'UNION' | 'MERGE_RANK';

/** Whether chunks that say the same (headings and text) are answered once. */
export type DedupStrategy = 'NONE' | 'HASH_EXACT';

/** What is looked for (3.H-13). */
export interface RetrievalQuery {
  readonly tenantId: string;
  readonly datasourceIds: readonly number[];
  readonly question: string;
  /** So many hits at most. */
  readonly topK: number;
  /** Hits are at least so near, 0 to 1. */
  readonly scoreThreshold: number;
  readonly mode: RetrievalMode;
  readonly dedup: DedupStrategy;
  /** The model that must have made the vectors of all datasources; null: whichever has. */
  readonly embedModel: string | null;
}

export interface RetrievalHit extends Omit<FoundChunk, 'vector'> {
  /** How near question and chunk are: the cosine of their vectors, 0 to 1. The order also heeds words: see `rank`. */
  readonly score: number;
  /** From 1. */
  readonly rank: number;
}

export interface Retrieval {
  /** Best first. */
  readonly hits: readonly RetrievalHit[];
  /** Chunks that were ranked, before threshold, dedup and `topK`. */
  readonly totalCandidates: number;
  /** That were searched, by their ids, each once. */
  readonly datasources: readonly number[];
  /** What the vectors of the question cost: a call for each space. */
  readonly calls: readonly EmbeddingUsage[];
}

/**
 * - `datasource_gone`: the tenant has no such datasource (any more)
 * - `other_model`: vectors of a datasource are of another model than the query names
 * - `embedding_failed`: the question has no vector
 */
export type RetrievalFault = 'datasource_gone' | 'other_model' | 'embedding_failed';

/** Why nothing could be looked for. */
export class RetrievalError extends Error {
  /**
   * @param message for people: no exception text, no secret
   * @param isPassing whether the same query may succeed later
   * @param calls what has been spent all the same
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
