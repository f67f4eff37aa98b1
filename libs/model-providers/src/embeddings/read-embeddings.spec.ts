import { describe, expect, it } from '@jest/globals';
import { readEmbeddings } from './read-embeddings.js';

const base64 = (...values: number[]): string => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => bytes.writeFloatLE(value, at * 4));
  return bytes.toString('base64');
};
const answer = (data: unknown, more: object = {}) => ({
  data,
  model: 'm-2',
  usage: { prompt_tokens: 3 },
  ...more,
});

describe('the answer to a call for vectors', () => {
  it.each([
    [
      'base64',
      [
        { index: 0, embedding: base64(1, 2) },
        { index: 1, embedding: base64(3, 4) },
      ],
    ],
    [
      'numbers',
      [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [3, 4] },
      ],
    ],
    [
      'another order',
      [
        { index: 1, embedding: [3, 4] },
        { index: 0, embedding: base64(1, 2) },
      ],
    ],
    ['no index', [{ embedding: [1, 2] }, { embedding: [3, 4] }]],
  ])('is read as %s', (_what, data) => {
    const read = readEmbeddings(answer(data), 2, 'm');
    expect(read?.vectors.map((vector) => [...vector])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(read).toMatchObject({ inputTokens: 3, model: 'm-2' });
  });

  it.each([
    ['no object', []],
    ['no data', {}],
    ['too few', answer([{ index: 0, embedding: [1] }])],
    [
      'one twice',
      answer([
        { index: 0, embedding: [1] },
        { index: 0, embedding: [1] },
      ]),
    ],
    [
      'one that was not asked for',
      answer([
        { index: 0, embedding: [1] },
        { index: 2, embedding: [1] },
      ]),
    ],
    [
      'no numbers',
      answer([
        { index: 0, embedding: ['1'] },
        { index: 1, embedding: [1] },
      ]),
    ],
    [
      'nothing in a vector',
      answer([
        { index: 0, embedding: '' },
        { index: 1, embedding: [] },
      ]),
    ],
    [
      'half a float',
      answer([
        { index: 0, embedding: 'AAAA' },
        { index: 1, embedding: [1] },
      ]),
    ],
  ])('is none with %s', (_what, given) => {
    expect(readEmbeddings(given, 2, 'm')).toBeNull();
  });

  it.each([[undefined], [{}], [{ prompt_tokens: -1 }], [{ prompt_tokens: '3' }]])(
    'guesses no tokens of %j',
    (usage) => {
      const read = readEmbeddings(answer([{ index: 0, embedding: [1] }], { usage, model: 7 }), 1, 'm');
      expect(read).toMatchObject({ inputTokens: null, model: 'm' });
    },
  );
});
