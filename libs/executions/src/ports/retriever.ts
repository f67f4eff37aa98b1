import type { RetrievalParameters } from '#libs/payloads';
import type { Passage, ToolRun } from '#libs/tooling';

/** Query with the execution that is charged for it. */
export interface RetrievalQuery extends Pick<ToolRun, 'tenantId' | 'executionId' | 'scope'> {
  readonly question: string;
  readonly parameters: Pick<
    RetrievalParameters,
    | 'datasource_ids'
    | 'top_k'
    | 'score_threshold'
    | 'embed_model'
    | 'retrieval_mode'
    | 'dedup_strategy'
    | 'chunk_merge'
  >;
}

export interface Retrieved {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** Number of searched datasources. */
  readonly datasources: number;
  /** Number of ranked chunks. */
  readonly totalCandidates: number;
}

/** Searches the documents of a tenant. It records the cost of its model calls itself, even if the worker dies. */
export abstract class Retriever {
  /**
   * Throws an `AppError`: `VALIDATION_ERROR` if a datasource is missing or unsuitable; `RETRIEVAL_FAILED` if the search
   * fails, retryable and of kind `unavailable` for transient failures.
   */
  abstract retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieved>;
}
