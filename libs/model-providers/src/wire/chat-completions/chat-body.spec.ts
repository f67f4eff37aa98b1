import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { endingOfChat } from './chat-body.js';

const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

describe('endingOfChat', () => {
  const body = (message: JsonObject, finish?: string): JsonObject => ({
    id: 'i',
    model: 'm',
    choices: [{ index: 0, message, ...(finish !== undefined && { finish_reason: finish }) }],
    usage: USAGE,
  });

  it('reads an answer in one piece', () =>
    expect(
      endingOfChat(
        body(
          {
            content: 'a',
            reasoning: 'hm',
            tool_calls: [
              { id: 'x', function: { name: 'n', arguments: '{}' } },
              { id: 'y', function: { name: 'n', arguments: '{}' } },
            ],
          },
          'tool_calls',
        ),
      ),
    ).toMatchObject({
      kind: 'answered',
      answer: {
        text: 'a',
        thinking: 'hm',
        toolCalls: [{ id: 'x' }, { id: 'y' }],
        usage: { total_tokens: 13 },
      },
    }));

  it('takes a body without a reason to end as whole', () =>
    expect(endingOfChat(body({ content: 'a' }))).toMatchObject({ answer: { incompleteReason: null } }));

  it.each<[string, JsonObject]>([
    ['no choice', { choices: [] }],
    ['an error', { error: { message: 'x' } }],
  ])('is no answer with %s', (_case, said) => expect(endingOfChat(said)).toMatchObject({ kind: 'failed' }));
});
