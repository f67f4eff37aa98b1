import { foreignMark, mergePassages, type PinnedRetrieval, mergedText } from '#libs/agent-core';
import { readRetrievalParameters, type RetrievalParameters, type RetrievalReading } from '#libs/payloads';
import type { Retrieved, Retriever } from '../ports/retriever.js';
import { retrievalOptionsOf, unusableOptions } from '../plan/plan-parameters.js';
import { AgentRunner, type PreparedByRunner, type RunToPrepare } from './agent-runner.js';
import type { Passage } from '#libs/tooling';

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

/**
 * Selects passages in rank order until the first that does not fit; a worse passage never replaces a better one. If even
 * the best one is too long, its beginning is used.
 */
export function fitPassages(
  passages: readonly Passage[],
  merge: PinnedRetrieval['merge'],
  mostChars: number,
): readonly Passage[] {
  const fitting: Passage[] = [];
  let room = mostChars;
  for (const passage of passages) {
    const { length } = mergedText(passage, merge);
    if (length > room) break;
    fitting.push(passage);
    room -= length + 1;
  }
  const [best] = passages;
  if (fitting.length > 0 || best === undefined) return fitting;
  return shorten(best, mergedText(best, merge).length - mostChars);
}

/** Empty if no text would be left. */
function shorten(passage: Passage, excess: number): readonly Passage[] {
  const text = passage.text.slice(0, Math.max(0, passage.text.length - excess));
  const whole = /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
  return whole === '' ? [] : [{ ...passage, text: whole }];
}
