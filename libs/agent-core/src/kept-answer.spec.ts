import { describe, expect, it } from '@jest/globals';
import { keptAnswer, MAX_ANSWER_BYTES } from './kept-answer.js';

describe('keptAnswer', () => {
  it.each([
    ['nothing', ''],
    ['a word', 'Done.'],
    ['exactly as much as is kept', 'x'.repeat(MAX_ANSWER_BYTES)],
    ['exactly as much in longer characters', '発'.repeat(Math.floor(MAX_ANSWER_BYTES / 3))],
  ])('keeps all of %s', (_what, text) => expect(keptAnswer(text)).toEqual({ text }));

  it.each([
    ['one character too many', `${'x'.repeat(MAX_ANSWER_BYTES)}y`, 'x'.repeat(MAX_ANSWER_BYTES)],
    [
      'a character that does not fit',
      `${'x'.repeat(MAX_ANSWER_BYTES - 1)}発`,
      'x'.repeat(MAX_ANSWER_BYTES - 1),
    ],
  ])('cuts %s, and says so', (_what, text, kept) =>
    expect(keptAnswer(text)).toEqual({ text: kept, truncated: true }),
  );
});
