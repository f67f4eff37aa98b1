import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KeptPlansWorld } from './kept-plans-world.js';
import { worseThanFresh } from './worse-than-fresh.js';

/** Compares the plans of API and worker among this many finished runs; `limitMs` without a value is that of all tests. */
export function readsNoMoreByKeptPlans(runs: number, limitMs?: number): void {
  let world: KeptPlansWorld;
  beforeAll(async () => {
    world = await KeptPlansWorld.open();
  });
  afterAll(() => world.close());

  it(
    `no statement of API and worker reads more by a plan of empty tables than by a fresh one, among ${runs} runs`,
    async () => {
      const reads = await world.readAmong(runs);
      expect(reads.length).toBeGreaterThan(60);
      expect(worseThanFresh(reads)).toEqual([]);
    },
    limitMs,
  );
}
