import { AppError, type JsonObject } from '#libs/kernel';
import { readSearchParameters, type SearchParameters } from '#libs/payloads';
import {
  defineTool,
  errorResult,
  PassingFailure,
  ToolCatalogue,
  ToolSource,
  type Passage,
  type ToolDefinition,
  type ToolReturn,
  type ToolRun,
  type ToolSourceContext,
} from '#libs/tooling';
import { z } from 'zod';

/** Name of the search tool, and key in the agent's `tools` that selects the datasources. */
export const SEARCH_KNOWLEDGE = 'search_knowledge';

/** A search, with the execution that pays for it. */
export interface KnowledgeQuery extends Pick<ToolRun, 'tenantId' | 'executionId' | 'scope'> {
  readonly question: string;
  readonly parameters: SearchParameters;
}

/** Search over documents. */
export interface KnowledgeSearch {
  /** Best match first. Throws an `AppError` with a message for users; `retryable` if the failure is transient. */
  retrieve(query: KnowledgeQuery, signal: AbortSignal): Promise<{ readonly passages: readonly Passage[] }>;
}

const MAX_QUESTION_CHARS = 2_000;
const TIMEOUT_MS = 30_000;
/** Large enough for `max_context_chars` plus the surrounding JSON. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** Offers a search tool over the datasources that the agent's `tools.search_knowledge` names. */
export class KnowledgeTools extends ToolSource {
  constructor(private readonly search: KnowledgeSearch) {
    super();
  }

  override load({ agentTools }: Pick<ToolSourceContext, 'agentTools'>): Promise<ToolCatalogue> {
    return Promise.resolve().then(() => {
      const given = agentTools[SEARCH_KNOWLEDGE];
      if (given === undefined) return new ToolCatalogue([]);
      const reading = readSearchParameters(given);
      if (reading.kind === 'faults') throw unusable(reading.faults.map(({ message }) => message));
      return new ToolCatalogue([searchKnowledge(this.search, reading.parameters)]);
    });
  }
}

function searchKnowledge(search: KnowledgeSearch, parameters: SearchParameters): ToolDefinition {
  return defineTool({
    name: SEARCH_KNOWLEDGE,
    label: 'search knowledge',
    description:
      'Searches documents for passages that say something about a question. Ask in full sentences; ask again in other words where nothing fits.',
    effect: 'read',
    isForeign: true,
    input: z.strictObject({
      question: z.string().trim().min(1).max(MAX_QUESTION_CHARS).describe('What is to be found out.'),
    }),
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    run: async ({ question }, { tenantId, executionId, scope, signal }) => {
      const query = { tenantId, executionId, scope, question, parameters };
      try {
        return toReturn((await search.retrieve(query, signal)).passages, parameters);
      } catch (error) {
        if (!(error instanceof AppError) || error.kind === 'internal') throw error;
        const answer = { result: errorResult(error.message) };
        if (error.retryable) throw new PassingFailure(answer, null, { cause: error });
        return answer;
      }
    },
  });
}

/** As many whole passages as fit, best first; only the first one may be truncated. */
function toReturn(found: readonly Passage[], parameters: SearchParameters): ToolReturn {
  const passages: Passage[] = [];
  let room = parameters.max_context_chars;
  for (const passage of found) {
    const text = passages.length === 0 ? passage.text.slice(0, room).toWellFormed() : passage.text;
    if (text.length > room) break;
    passages.push({ ...passage, text });
    room -= text.length;
  }
  return {
    result: { status: 'success', result: { passages: passages.map(toShown) } },
    sources: { passages, snippetChars: parameters.citation_snippet_chars },
  };
}

function toShown({ rank, title, page, text }: Passage): JsonObject {
  return { rank, title, ...(page !== null && { page }), text };
}

function unusable(faults: readonly string[]): AppError {
  return new AppError({
    code: 'VALIDATION_ERROR',
    kind: 'invalid_input',
    message: `the tools of the agent are not usable: ${faults.join('; ')}`,
  });
}
