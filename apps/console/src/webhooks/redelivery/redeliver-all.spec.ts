import { describe, expect, it } from '@jest/globals';
import { filterWords } from './filter-words.js';
import { collectIds, countReasons, redeliverAll, type RedeliveryProgress } from './redeliver-all.js';

const pages =
  (...lists: readonly string[][]) =>
  (cursor: string | null) => {
    const index = cursor === null ? 0 : Number(cursor);
    const next = index + 1 < lists.length ? String(index + 1) : null;
    return Promise.resolve({ data: (lists[index] ?? []).map((id) => ({ id })), next_cursor: next });
  };

describe('deliveries of a filter', () => {
  it('are collected page by page', async () => {
    const counts: number[] = [];
    const found = await collectIds(pages(['a', 'b'], ['c']), 10, (count) => counts.push(count));
    expect(found).toEqual({ ids: ['a', 'b', 'c'], isCut: false });
    expect(counts).toEqual([2, 3]);
  });

  it.each([
    [pages(['a', 'b'], ['c']), 2],
    [pages(['a', 'b', 'c']), 2],
  ])('are cut where there are too many', async (readPage, most) => {
    expect(await collectIds(readPage, most, () => undefined)).toEqual({ ids: ['a', 'b'], isCut: true });
  });
});

describe('a redelivery of many', () => {
  const run = (redeliver: (id: string) => Promise<string | null>, stop = new AbortController()) => {
    const seen: RedeliveryProgress[] = [];
    const done = redeliverAll({
      ids: ['a', 'b', 'c', 'd'],
      atOnce: 2,
      redeliver,
      signal: stop.signal,
      onProgress: (progress) => seen.push(progress),
    });
    return { done, seen };
  };

  it('sends each once, a few at a time, and counts what is refused', async () => {
    const asked: string[] = [];
    let open = 0;
    let mostOpen = 0;
    const { done, seen } = run(async (id) => {
      asked.push(id);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await Promise.resolve();
      open -= 1;
      return id === 'c' ? 'not active' : null;
    });
    expect(await done).toEqual({ total: 4, accepted: 3, refused: [{ id: 'c', reason: 'not active' }] });
    expect([asked, mostOpen, seen.length]).toEqual([['a', 'b', 'c', 'd'], 2, 4]);
  });

  it('ends after what is under way when it is stopped', async () => {
    const stop = new AbortController();
    const asked: string[] = [];
    const { done } = run((id) => {
      asked.push(id);
      if (id === 'b') stop.abort();
      return Promise.resolve(null);
    }, stop);
    expect(await done).toMatchObject({ total: 4, accepted: 2 });
    expect(asked).toEqual(['a', 'b']);
  });

  it('names each reason once, the most frequent first', () => {
    const refused = ['x', 'y', 'y'].map((reason, index) => ({ id: String(index), reason }));
    expect(countReasons(refused)).toEqual([
      ['y', 2],
      ['x', 1],
    ]);
  });
});

describe('a filter in words', () => {
  it.each([
    [{}, 'all of the tenant'],
    [
      { status: 'exhausted', event: 'execution.failed', endpoint: 2, since: '24h' },
      'given up, event failed, endpoint 2, of the last 24 hours',
    ],
  ] as const)('%j reads %s', (filter, words) => {
    expect(filterWords(filter)).toBe(words);
  });
});
