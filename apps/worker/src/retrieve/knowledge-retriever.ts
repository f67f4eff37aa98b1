import { Retriever, type RetrievalQuery, type Retrieved } from '#libs/executions';
import { AppError } from '#libs/kernel';
import { mergeNeighbours, RetrievalError, type RetrievalHit } from '#libs/knowledge';
import type { Passage } from '#libs/tooling';
import type { AccountedRetrieval } from './accounted-retrieval.js';

/** Searches tenants' documents on the account of the asking execution. */
export class KnowledgeRetriever extends Retriever {
  /**
   * @param countCall counts a call against the tenant's embedding limit; only ingestion waits for that limit, questions
   * never do
   */
  constructor(
    private readonly retrieval: AccountedRetrieval,
    private readonly countCall: (tenantId: string) => Promise<unknown>,
  ) {
    super();
  }

  override async retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieved> {
    const { tenantId, executionId, scope, question, parameters } = query;
    try {
      const { hits, totalCandidates, datasources } = await this.retrieval.retrieve(
        { tenantId, executionId, scope },
        {
          tenantId,
          question,
          datasourceIds: parameters.datasource_ids,
          topK: parameters.top_k,
          scoreThreshold: parameters.score_threshold,
          mode: parameters.retrieval_mode,
          dedup: parameters.dedup_strategy,
          embedModel: parameters.embed_model,
        },
        signal,
        () => this.countCall(tenantId),
      );
      const found = parameters.chunk_merge ? mergeNeighbours(hits) : hits;
      return { passages: found.map(toPassage), totalCandidates, datasources: datasources.length };
    } catch (error) {
      throw error instanceof RetrievalError ? toAppError(error) : error;
    }
  }
}

function toPassage(hit: RetrievalHit): Passage {
  const { datasourceId, documentId, chunkId, title, page, text, score, rank } = hit;
  const ids = { datasource_id: datasourceId, document_id: documentId, chunk_id: chunkId };
  return { ...ids, title, page, text, score, rank };
}

/** A missing or unsuitable datasource is a fault of the agent's author; a failing model server is not. */
function toAppError(error: RetrievalError): AppError {
  const { fault, message, isPassing } = error;
  if (fault !== 'embedding_failed')
    return new AppError({ code: 'VALIDATION_ERROR', kind: 'invalid_input', message, cause: error });
  const kind = isPassing ? 'unavailable' : 'unprocessable';
  return new AppError({ code: 'RETRIEVAL_FAILED', kind, message, retryable: isPassing, cause: error });
}
