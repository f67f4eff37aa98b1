import { foreignMark, mergePassages, type PinnedRetrieval } from '#libs/agent-core';
import { readRetrievalParameters, type RetrievalParameters, type RetrievalReading } from '#libs/payloads';
import type { Retrieved, Retriever } from '../ports/retriever.js';
import { retrievalOptionsOf, unusableOptions } from '../plan/plan-parameters.js';
import { AgentRunner, type PreparedByRunner, type RunToPrepare } from './agent-runner.js';
import { fitPassages } from './fit-passages.js';

/**
 * `RAG_CHAT` (S3-34): retrieves passages for the input from the tenant's documents. Runs once per execution, since the
 * result is pinned.
 */
export class RagChatRunner extends AgentRunner {
  /** @param sha256 in hexadecimal */
  constructor(
    private readonly retriever: Retriever,
    private readonly sha256: (text: string) => string,
  ) {
    super();
  }

  override async prepare(
    { claim, usable, scope }: RunToPrepare,
    signal: AbortSignal,
  ): Promise<PreparedByRunner> {
    const parameters = requireReadable(readRetrievalParameters(retrievalOptionsOf(claim, usable)));
    const { tenantId, executionId, request } = claim;
    const account = { tenantId, executionId, scope };
    const found = await this.retriever.retrieve({ ...account, question: request.input, parameters }, signal);
    return { retrieval: this.toRetrieval(found, parameters) };
  }

  private toRetrieval(found: Retrieved, parameters: RetrievalParameters): PinnedRetrieval {
    const { chunk_merge_strategy: merge, max_context_chars, context_template, top_k } = parameters;
    const passages = fitPassages(found.passages, merge, max_context_chars);
    return {
      passages,
      usage: {
        datasources: found.datasources,
        total_candidates: found.totalCandidates,
        used_chunks: passages.length,
        top_k_requested: top_k,
      },
      template: context_template,
      merge,
      snippetChars: parameters.citation_snippet_chars,
      foreign: foreignMark(this.sha256(mergePassages(passages, merge))),
    };
  }
}

function requireReadable(reading: RetrievalReading<RetrievalParameters>): RetrievalParameters {
  if (reading.kind === 'read') return reading.parameters;
  throw unusableOptions(reading.faults.map(({ message }) => message));
}
