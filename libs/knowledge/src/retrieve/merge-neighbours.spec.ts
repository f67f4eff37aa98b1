import { expect, it } from '@jest/globals';
import { mergeNeighbours } from './merge-neighbours.js';
import type { RetrievalHit } from './retrieval.js';

function aHit(
  rank: number,
  documentId: string,
  ordinal: number,
  more: Partial<RetrievalHit> = {},
): RetrievalHit {
  return {
    ...{ chunkId: 100 + ordinal, datasourceId: 1, documentId, title: 'T', headings: [], page: ordinal },
    ...{ text: `${documentId}${ordinal}`, ordinal, repeatedChars: 0, warnings: [] },
    ...{ contentHash: Buffer.alloc(32), score: 1 / rank, rank },
    ...more,
  };
}

const short = (hits: readonly RetrievalHit[]) => hits.map(({ rank, chunkId, text }) => [rank, chunkId, text]);

it('hits side by side in one document are one, in the place of the best of them (S3-7)', () => {
  const hits = [
    aHit(1, 'b', 5),
    aHit(2, 'a', 3),
    aHit(3, 'a', 8),
    aHit(4, 'a', 2),
    aHit(5, 'a', 4),
    aHit(6, 'b', 3),
  ];
  const merged = mergeNeighbours(hits);
  expect(short(merged)).toEqual([
    [1, 105, 'b5'],
    [2, 103, 'a2\na3\na4'],
    [3, 108, 'a8'],
    [4, 103, 'b3'],
  ]);
  expect(merged[1]).toMatchObject({ score: 0.5, page: 2, ordinal: 2 });
});

it('the overlap of two neighbours appears once (S3-7)', () => {
  const hits = [
    aHit(2, 'a', 1, { text: 'One. Two.' }),
    aHit(1, 'a', 2, { text: 'Two. Three.', repeatedChars: 4 }),
  ];
  expect(short(mergeNeighbours(hits))).toEqual([[1, 102, 'One. Two. Three.']]);
});

it('text under another heading begins with it', () => {
  const hits = [aHit(1, 'a', 1, { headings: ['A'] }), aHit(2, 'a', 2, { headings: ['A', 'B'] })];
  expect(short(mergeNeighbours(hits))).toEqual([[1, 101, 'a1\n\nB\na2']]);
});

it('hits that stand apart stay as they are', () => {
  const hits = [aHit(1, 'a', 1), aHit(2, 'b', 2), aHit(3, 'a', 3)];
  expect(mergeNeighbours(hits)).toEqual(hits);
});
