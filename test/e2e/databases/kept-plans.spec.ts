import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { KeptPlansWorld } from './kept-plans-world.js';
import { worseThanFresh } from './worse-than-fresh.js';

let world: KeptPlansWorld;
beforeAll(async () => {
  world = await KeptPlansWorld.open();
});
afterAll(() => world.close());

it('no statement of API and worker reads more by a plan of empty tables than by a fresh one, among 1 000 runs', async () => {
  const reads = await world.readAmong(1_000);
  expect(reads.length).toBeGreaterThan(60);
  expect(worseThanFresh(reads)).toEqual([]);
});
