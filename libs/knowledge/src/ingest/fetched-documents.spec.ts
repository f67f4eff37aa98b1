import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AMPLE, bytesOf, IngestionWorld } from '../../../../test/support/fakes/ingestion-world.js';

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

  it.each<[string, (world: IngestionWorld, id: string) => void]>([
    ['there is no room for it', (world) => (world.quota = { ...AMPLE, bytes: 2 })],
    ['it is more than a document may be', (world) => (world.mostBytes = 2)],
    [
      'another worker has taken it over',
      (world, id) => (world.blobs.onWritten = () => (world.of(id).token = 'of another one')),
    ],
  ])('leaves nothing of what it has fetched where %s', async (_what, prepare) => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: null, fileName: null };
    prepare(world, id);
    await world.run(id);
    expect([world.blobs.size, world.knowledge.disposable.size]).toEqual([0, 0]);
    expect(world.surprises).toEqual([]);
  });

  it('leaves what it has fetched for later where that cannot be removed now', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: null, fileName: null };
    world.quota = { ...AMPLE, bytes: 2 };
    world.blobs.remove = () => Promise.reject(new Error('403'));
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'failed', error: { code: 'KNOWLEDGE_QUOTA_EXCEEDED' } });
    expect([world.blobs.size, world.knowledge.disposable.size]).toEqual([1, 1]);
    expect(world.surprises).toEqual([]);
  });

  it('keeps its content while it is unknown whether that was recorded', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: null, fileName: null };
    world.ingestions.keepOriginal = () => Promise.reject(new Error('the connection broke off'));
    await world.run(id);
    expect([world.blobs.size, world.knowledge.disposable.size]).toEqual([1, 1]);
  });
});
