import { describe, expect, it } from '@jest/globals';
import { toHalfVector } from '../chunks/half-vector.js';
import type { FoundChunk } from '../ports/chunk-index.js';
import { HitSelection } from './hit-selection.js';

const EAST = Float32Array.of(1, 0);

/** @param degrees angle between the chunk and the question */
function aChunk(chunkId: number, degrees: number, content = String(chunkId)): FoundChunk {
  const angle = (degrees * Math.PI) / 180;
  const vector = toHalfVector(Float32Array.of(Math.cos(angle), Math.sin(angle)));
  if (vector === null) throw new Error('no vector');
  const place = { datasourceId: 1, documentId: 'd', title: 'T', headings: [], page: null, text: content };
  const part = { ordinal: 0, repeatedChars: 0, warnings: [] };
  return { chunkId, ...place, ...part, contentHash: Buffer.from(content), vector };
}

function select(
  chunks: readonly FoundChunk[],
  terms: Partial<ConstructorParameters<typeof HitSelection>[0]> = {},
) {
  const selection = new HitSelection({ topK: 10, scoreThreshold: 0, dedup: 'NONE', ...terms }, () => EAST);
  for (const chunk of chunks) selection.offer(chunk);
  return selection.hits.map(({ chunkId, rank }) => [chunkId, rank]);
}

describe('selecting hits', () => {
  it('as many as are asked for, in their order, with their ranks', () => {
    const chunks = [aChunk(3, 40), aChunk(1, 0), aChunk(2, 80)];
    expect(select(chunks, { topK: 2 })).toEqual([
      [3, 1],
      [1, 2],
    ]);
  });

  it('the score is the cosine, never below 0', () => {
    const selection = new HitSelection({ topK: 10, scoreThreshold: 0, dedup: 'NONE' }, () => EAST);
    for (const degrees of [0, 60, 90, 180]) selection.offer(aChunk(degrees, degrees));
    const scores = selection.hits.map(({ score }) => Number(score.toFixed(2)));
    expect(scores).toEqual([1, 0.5, 0, 0]);
  });

  it.each([
    [0, [1, 2, 3]],
    [0.5, [1, 2]],
    [0.9, [1]],
    [1, []],
  ])('none that is less near than the threshold %d', (scoreThreshold, expected) => {
    const chunks = [aChunk(1, 10), aChunk(2, 55), aChunk(3, 85)];
    expect(select(chunks, { scoreThreshold }).map(([id]) => id)).toEqual(expected);
  });

  it.each([
    ['NONE' as const, [1, 2, 3]],
    ['HASH_EXACT' as const, [1, 3]],
  ])('dedup %s', (dedup, expected) => {
    const chunks = [aChunk(1, 10, 'same'), aChunk(2, 20, 'same'), aChunk(3, 30)];
    expect(select(chunks, { dedup }).map(([id]) => id)).toEqual(expected);
  });

  it('one that was too far away has said nothing yet', () => {
    const chunks = [aChunk(1, 80, 'same'), aChunk(2, 10, 'same')];
    expect(select(chunks, { dedup: 'HASH_EXACT', scoreThreshold: 0.5 })).toEqual([[2, 1]]);
  });
});
