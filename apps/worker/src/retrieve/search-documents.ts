import { performance } from 'node:perf_hooks';
import { RetrievalError, type Retrieval, type RetrievalHit } from '#libs/knowledge';
import { roundScore, type DocumentSearchAnswer, type DocumentSearchOutcome } from '#libs/payloads';
import type { AskedSearch, DocumentSearchStore } from '#libs/persistence';
import type { AccountedRetrieval } from './accounted-retrieval.js';

/** Time limit in milliseconds; a person waits for the answer. */
const MAX_MS = 30_000;

export interface SearchDocumentsDependencies {
  readonly searches: Pick<DocumentSearchStore, 'take' | 'finish'>;
  readonly retrieval: Pick<AccountedRetrieval, 'retrieve'>;
  /** Creates a signal that aborts the search after the given milliseconds. */
  readonly timeout?: (ms: number) => AbortSignal;
}

/** Runs a test retrieval in the environment and with the code of agents' retrievals. */
export class SearchDocuments {
  constructor(private readonly deps: SearchDocumentsDependencies) {}

  /** Resolves once the outcome is stored; at once if the search is gone or taken. */
  async execute(tenantId: string, searchId: string): Promise<void> {
    const asked = await this.deps.searches.take(tenantId, searchId);
    if (asked === null) return;
    await this.deps.searches.finish(tenantId, searchId, await this.search(asked));
  }

  private async search({ id, tenantId, datasourceId, search }: AskedSearch): Promise<DocumentSearchOutcome> {
    const { timeout = (ms: number) => AbortSignal.timeout(ms) } = this.deps;
    const signal = timeout(MAX_MS);
    const began = performance.now();
    try {
      const retrieval = await this.deps.retrieval.retrieve(
        { tenantId, executionId: id, scope: '' },
        {
          tenantId,
          question: search.question,
          datasourceIds: [datasourceId],
          topK: search.top_k,
          scoreThreshold: search.score_threshold,
          mode: search.retrieval_mode,
          dedup: search.dedup_strategy,
          embedModel: search.embed_model,
        },
        signal,
      );
      const duration_ms = Math.round(performance.now() - began);
      return { kind: 'found', answer: toAnswer(retrieval, search.top_k, duration_ms) };
    } catch (error) {
      if (signal.aborted)
        return refused('too_slow', 'The search took longer than half a minute.', true, null);
      if (!(error instanceof RetrievalError)) throw error;
      return refused(error.fault, error.message, error.isPassing, error.retryAfterMs);
    }
  }
}

type Refusal = Extract<DocumentSearchOutcome, { kind: 'refused' }>;

function refused(
  fault: Refusal['fault'],
  message: string,
  is_passing: boolean,
  retry_after_ms: number | null,
): Refusal {
  return { kind: 'refused', fault, message, is_passing, retry_after_ms };
}

function toAnswer(
  { hits, datasources, totalCandidates, calls }: Retrieval,
  topK: number,
  duration_ms: number,
): DocumentSearchAnswer {
  const [call] = calls;
  return {
    hits: hits.map(toHit),
    usage: {
      retrieval: {
        datasources: datasources.length,
        total_candidates: totalCandidates,
        used_chunks: hits.length,
        top_k_requested: topK,
      },
      // One datasource has one embedding model, so there is at most one call.
      embedding: {
        calls: calls.length,
        input_tokens: call?.inputTokens ?? null,
        cost_usd: call?.costUsd ?? null,
      },
    },
    duration_ms,
  };
}

function toHit(hit: RetrievalHit): DocumentSearchAnswer['hits'][number] {
  const { chunkId, datasourceId, documentId, title, headings, page, text, score, rank, warnings } = hit;
  const ids = { chunk_id: chunkId, datasource_id: datasourceId, document_id: documentId };
  const seen = warnings.map(({ pages, ...warning }) => ({ ...warning, pages: [...pages] }));
  return {
    ...ids,
    title,
    headings: [...headings],
    page,
    text,
    score: roundScore(score),
    rank,
    warnings: seen,
  };
}
