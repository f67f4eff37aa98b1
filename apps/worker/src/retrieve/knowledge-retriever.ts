import { Retriever, type RetrievalQuery, type Retrieved } from '#libs/executions';
import { AppError } from '#libs/kernel';
import {
  AccountedEmbedder,
  RetrievalError,
  RetrieveChunks,
  type CallAccounts,
  type ChunkIndex,
  type RetrievalHit,
  type ServiceOfSpace,
} from '#libs/knowledge';
import type { AskingScope } from '#libs/persistence';
import type { Passage } from '#libs/tooling';

export interface KnowledgeRetrieverParts {
  readonly index: ChunkIndex;
  readonly serviceOf: ServiceOfSpace;
  /** Counts a call against the limit of the tenant. A question never waits for room there: documents do. */
  readonly countCall: (tenantId: string) => Promise<unknown>;
  /** Of the loop that asks. */
  readonly accountsOf: (asking: AskingScope) => CallAccounts;
}

/** Looks through the documents of tenants, on account of the execution that asks. */
export class KnowledgeRetriever extends Retriever {
  constructor(private readonly parts: KnowledgeRetrieverParts) {
    super();
  }

  override async retrieve(query: RetrievalQuery, signal: AbortSignal): Promise<Retrieved> {
    const { tenantId, question, parameters } = query;
    const chunks = new RetrieveChunks({ index: this.parts.index, serviceOf: this.accountedFor(query) });
    try {
      const { hits, totalCandidates, datasources } = await chunks.retrieve(
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
      );
      return { passages: hits.map(toPassage), totalCandidates, datasources: datasources.length };
    } catch (error) {
      throw error instanceof RetrievalError ? toAppError(error) : error;
    }
  }

  private accountedFor({ tenantId, executionId, scope }: RetrievalQuery): ServiceOfSpace {
    const accounts = this.parts.accountsOf({ tenantId, executionId, scope });
    return async (tenant, space) => {
      const service = await this.parts.serviceOf(tenant, space);
      await this.parts.countCall(tenant);
      return { ...service, embedder: new AccountedEmbedder(service, space.embedModel, accounts) };
    };
  }
}

function toPassage(hit: RetrievalHit): Passage {
  const { datasourceId, documentId, chunkId, title, page, text, score, rank } = hit;
  const ids = { datasource_id: datasourceId, document_id: documentId, chunk_id: chunkId };
  return { ...ids, title, page, text, score, rank };
}

/** Datasources are named by whoever wrote the agent; what a model server does is nobody's fault here. */
function toAppError(error: RetrievalError): AppError {
  const { fault, message, isPassing } = error;
  if (fault !== 'embedding_failed')
    return new AppError({ code: 'VALIDATION_ERROR', kind: 'invalid_input', message, cause: error });
  const kind = isPassing ? 'unavailable' : 'unprocessable';
  return new AppError({ code: 'RETRIEVAL_FAILED', kind, message, retryable: isPassing, cause: error });
}
