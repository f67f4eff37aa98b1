import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { bytesOf, IngestionWorld } from '../../../../test/support/fakes/ingestion-world.js';

describe('a document at a URL', () => {
  it('is fetched once, and taken in', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: 'text/plain', fileName: null };
    await world.run(id);
    expect(world.of(id)).toMatchObject({
      state: 'ready',
      original: { sizeBytes: 3 },
      mediaType: 'text/plain',
    });
    expect(world.knowledge.disposable.size).toBe(0);
  });

  it('is fetched anew where a worker was lost that was fetching it', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    const held = await world.ingestions.claim(id, randomUUID());
    if (held === null) throw new Error('it is not to be had');
    await world.ingestions.begin(held, 'fetching');
    expect(world.of(id)).toMatchObject({ state: 'fetching', original: null });
    world.of(id).isLeaseOver = true;
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: 'text/plain', fileName: null };
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'ready', original: { sizeBytes: 3 } });
  });

  it('is fetched no further as soon as its worker learns that the claim is lost', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    const isBrokenOff = (): boolean[] => world.fetcher.signals.map(({ aborted }) => aborted);
    const seen: boolean[][] = [];
    async function* half(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      seen.push(isBrokenOff());
      world.of(id).token = 'of another one';
      world.timers.tick();
      await new Promise(setImmediate);
      seen.push(isBrokenOff());
    }
    world.fetcher.plan = { bytes: half(), mediaType: null, fileName: null };
    await world.run(id);
    expect(seen).toEqual([[false], [true]]);
    expect(world.of(id)).toMatchObject({ state: 'fetching', original: null });
    expect(world.surprises).toEqual([]);
  });
});
