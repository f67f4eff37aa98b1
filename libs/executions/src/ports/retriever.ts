import type { RetrievalParameters } from '#libs/payloads';
import type { Passage, ToolRun } from '#libs/tooling';

/** What is looked for, and on whose account. */
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
  /** How many were searched. */
  readonly datasources: number;
  /** Chunks that were ranked. */
  readonly totalCandidates: number;
}

/** Looks through documents of a tenant. What its calls of models cost is accounted for by itself, whoever dies. */
export abstract class Retriever {
  /**
   * Throws an `AppError`: `VALIDATION_ERROR` where a datasource is not there or not what is asked for; `RETRIEVAL_FAILED`
   * where the question cannot be looked for, `retryable` and of kind `unavailable` where that may pass.
   */
  abstract retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieved>;
}
