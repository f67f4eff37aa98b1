import { describe, expect, it } from '@jest/globals';
import { AppError, type JsonObject } from '#libs/kernel';
import {
  PassingFailure,
  readToolReturn,
  type Passage,
  type ToolContext,
  type ToolDefinition,
} from '#libs/tooling';
import { aPassage } from '../../../../test/support/builders/passage.js';
import { KnowledgeTools, SEARCH_KNOWLEDGE, type KnowledgeQuery } from './knowledge-tools.js';

const CONTEXT: ToolContext = {
  ...{
    tenantId: 't',
    executionId: 'e',
    sessionId: 's',
    scope: '2.1',
    executor: null,
    idempotencyKey: 'e.1.0',
  },
  signal: new AbortController().signal,
  events: { progress: () => undefined },
};
const SETUP = { datasource_ids: [3], max_context_chars: 40, citation_snippet_chars: 9 };

async function offered(
  setup: JsonObject | undefined,
  find: () => Promise<readonly Passage[]> = () => Promise.resolve([]),
): Promise<{ readonly tool: ToolDefinition | undefined; readonly asked: KnowledgeQuery[] }> {
  const asked: KnowledgeQuery[] = [];
  const source = new KnowledgeTools({
    retrieve: async (query) => {
      asked.push(query);
      return { passages: await find() };
    },
  });
  const agentTools = setup === undefined ? {} : { [SEARCH_KNOWLEDGE]: setup };
  return { tool: (await source.load({ agentTools })).find(SEARCH_KNOWLEDGE), asked };
}

describe('the tool that searches documents', () => {
  it('exists for agents that name it, only reads, and answers foreign content', async () => {
    expect((await offered(undefined)).tool).toBeUndefined();
    expect((await offered(SETUP)).tool).toMatchObject({ effect: 'read', isForeign: true });
  });

  it('searches what its agent has set up, on account of the run', async () => {
    const { tool, asked } = await offered(SETUP);
    await tool?.run({ question: 'When?' }, CONTEXT);
    expect(asked).toEqual([
      {
        ...{ tenantId: 't', executionId: 'e', scope: '2.1', question: 'When?' },
        parameters: expect.objectContaining({ datasource_ids: [3], top_k: 5 }),
      },
    ]);
  });

  it('answers the passages, best first, within its bound, and is cited with these and no others', async () => {
    const found = [
      aPassage({ text: 'x'.repeat(30), page: 2 }),
      aPassage({ chunk_id: 42, rank: 2, text: 'y'.repeat(10) }),
      aPassage({ chunk_id: 43, rank: 3, text: 'z' }),
    ];
    const { tool } = await offered(SETUP, () => Promise.resolve(found));
    const returned = await tool?.run({ question: 'When?' }, CONTEXT);
    const reading = readToolReturn(returned, 65_536);
    expect(JSON.parse(reading.output)).toEqual({
      status: 'success',
      result: {
        passages: [
          { rank: 1, title: 'Handbook', page: 2, text: 'x'.repeat(30) },
          { rank: 2, title: 'Handbook', text: 'y'.repeat(10) },
        ],
      },
    });
    expect(reading.sources).toEqual({ passages: found.slice(0, 2), snippetChars: 9 });
  });

  it('answers the beginning of what is too long by itself', async () => {
    const { tool } = await offered(SETUP, () => Promise.resolve([aPassage({ text: 'x'.repeat(50) })]));
    expect((await tool?.run({ question: 'When?' }, CONTEXT))?.sources?.passages).toMatchObject([
      { text: 'x'.repeat(40) },
    ]);
  });

  const failing = (retryable: boolean) => () =>
    Promise.reject(
      new AppError({
        code: 'RETRIEVAL_FAILED',
        kind: 'unavailable',
        message: 'The server is busy.',
        retryable,
      }),
    );

  it('says what was wrong to the model where that will not pass, and is repeated where it may', async () => {
    const answer = { result: { status: 'error', result: { message: 'The server is busy.' } } };
    const lasting = await offered(SETUP, failing(false));
    expect(await lasting.tool?.run({ question: 'When?' }, CONTEXT)).toEqual(answer);
    const passing = await offered(SETUP, failing(true));
    const failure = passing.tool?.run({ question: 'When?' }, CONTEXT);
    await expect(failure).rejects.toMatchObject({ answer });
    await expect(failure).rejects.toBeInstanceOf(PassingFailure);
  });

  it('is refused where it is not set up as it can be', async () => {
    await expect(offered({ datasource_ids: [] })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'the tools of the agent are not usable: datasource_ids required',
    });
  });
});
