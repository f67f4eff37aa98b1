import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { ChatStreamDecoder } from './decode-chat-stream.js';

const chunk = (delta: JsonObject, finish: string | null = null, more: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});
const usageChunk = (usage: JsonObject | null): JsonObject => ({ choices: [], usage });
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

function answerOf(...chunks: JsonObject[]) {
  const decoder = new ChatStreamDecoder();
  for (const one of chunks) decoder.push(one);
  const ending = decoder.end();
  if (ending?.kind !== 'answered') throw new Error(`no answer: ${JSON.stringify(ending)}`);
  return ending.answer;
}

describe('ChatStreamDecoder, at a server that reports usage in its own way', () => {
  const ZEROS = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  it.each<[string, JsonObject[], number | null]>([
    ['zeros before the real one', [{ ...chunk({}, 'stop'), usage: ZEROS }, usageChunk(USAGE)], 13],
    ['zeros after the real one', [{ ...chunk({}, 'stop'), usage: USAGE }, usageChunk(ZEROS)], 13],
    [
      'one half in each of two chunks',
      [
        { ...chunk({}, 'stop'), usage: { prompt_tokens: 9, completion_tokens: 0 } },
        usageChunk({ prompt_tokens: 0, completion_tokens: 4 }),
      ],
      13,
    ],
    ['in the choice', [chunk({}, 'stop', { usage: USAGE })], 13],
    ['in a field of its own', [{ ...chunk({}, 'stop'), x_groq: { usage: USAGE } }], 13],
    ['zeros alone', [{ ...chunk({}, 'stop'), usage: ZEROS }], null],
    ['nothing', [chunk({}, 'stop')], null],
  ])('takes for the usage what is known of it: %s', (_case, chunks, expected) =>
    expect(answerOf(chunk({ content: 'a' }), ...chunks).usage?.total_tokens ?? null).toBe(expected),
  );

  it('waits for usage where what came was zeros', () => {
    const decoder = new ChatStreamDecoder();
    decoder.push({ ...chunk({ content: 'a' }, 'stop'), usage: ZEROS });
    expect(decoder.ending).toBeNull();
    decoder.push(usageChunk(USAGE));
    expect(decoder.ending).not.toBeNull();
  });
});
