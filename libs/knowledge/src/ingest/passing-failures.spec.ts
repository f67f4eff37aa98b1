import { describe, expect, it, jest } from '@jest/globals';
import { bytesOf, IngestionWorld } from '../../../../test/support/fakes/ingestion-world.js';
import { BlobStoreUnavailableError } from '../ports/blob-store.js';
import { FetchDocumentError } from '../ports/document-fetcher.js';
import { EmbeddingError } from '../ports/embedder.js';

describe('a failure that may pass', () => {
  it('is tried again, with what is there', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a b c d\ne f g h\ni j k l');
    world.embedder.plan.push(() => undefined, new EmbeddingError('rate_limited', 'busy', true, 60_000, 3));
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'embedding', tries: 1, isDue: false, token: null });
    expect(world.of(id).error).toEqual({ code: 'EMBEDDING_FAILED', text: 'busy' });
    world.of(id).isDue = true;
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'ready', tries: 0, error: null });
    expect(world.embedder.asked).toEqual([['a b c d', 'e f g h'], ['i j k l'], ['i j k l']]);
    expect(world.knowledge.usage.map(({ call, state, inputTokens }) => [call, state, inputTokens])).toEqual([
      [1, 'known', 2],
      [2, 'failed', 3],
      [3, 'known', 1],
    ]);
  });

  it('is given up in the end', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    let runs = 0;
    while (world.of(id).state !== 'failed') {
      world.embedder.plan.push(new EmbeddingError('rate_limited', 'busy', true));
      world.of(id).isDue = true;
      await world.run(id);
      runs += 1;
      expect(runs).toBeLessThan(20);
    }
    expect(runs).toBe(8);
  });

  it('is given up within two minutes where it hardly ever passes', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.plan = new FetchDocumentError('no such host', true, null, true);
    const putOff = jest.spyOn(world.ingestions, 'putOff');
    for (let runs = 0; runs < 5; runs += 1) {
      const error = runs === 0 ? null : { code: 'DOCUMENT_NOT_FETCHED', text: 'no such host' };
      expect(world.of(id)).toMatchObject({ tries: runs, error });
      world.of(id).isDue = true;
      await world.run(id);
    }
    expect(world.of(id)).toMatchObject({ state: 'failed', error: { code: 'DOCUMENT_NOT_FETCHED' } });
    const delays = putOff.mock.calls.map(([, delayMs]) => delayMs / 1_000);
    expect(delays).toEqual([2, 6, 18, 54]);
  });

  it('waits for the limit of its tenant without a call', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.waitMs = 5_000;
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'embedding', tries: 0, isDue: false });
    expect(world.embedder.asked).toEqual([]);
  });

  it('goes on elsewhere when the process is to end', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a b c d\ne f g h\ni j k l');
    world.embedder.plan.push(() => world.drain.abort());
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'embedding', isDue: true, token: null, tries: 0 });
    expect(world.knowledge.embeddings.size).toBe(2);
  });

  it('goes on elsewhere, uncounted, when the process is to end while it is read', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.parser.meanwhile = (signal) => {
      world.drain.abort();
      signal.throwIfAborted();
    };
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'parsing', isDue: true, token: null, tries: 0, losses: 0 });
    expect(world.surprises).toEqual([]);
  });

  it('goes on elsewhere, uncounted, when its reader is ended together with the worker', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.parser.losses = 1;
    world.parser.meanwhile = () => world.drain.abort();
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'parsing', isDue: true, token: null, tries: 0 });
  });

  it('goes on elsewhere, uncounted, when the process is to end while it is fetched', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.fetcher.meanwhile = (signal) => {
      world.drain.abort();
      if (signal.aborted) throw new FetchDocumentError('aborted', true);
    };
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'fetching', isDue: true, token: null, tries: 0 });
  });

  it('counts by itself in each step', async () => {
    const world = new IngestionWorld();
    const id = await world.giveUrl();
    world.of(id).tries = 6;
    world.fetcher.plan = { bytes: bytesOf('a b'), mediaType: 'text/plain', fileName: null };
    world.parser.losses = 1;
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'parsing', tries: 1 });
  });

  it.each<[string, (world: IngestionWorld) => Error, object | null]>([
    [
      'the store of files',
      () => new BlobStoreUnavailableError(new Error('no disk')),
      { code: 'FILE_STORE_UNAVAILABLE', text: expect.not.stringContaining('no disk') },
    ],
    ['the database', (world) => (world.outage = new Error('no connection')), null],
  ])('is no failure of the document where %s is away, however long', async (_what, outageOf, error) => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    const outage = outageOf(world);
    world.parser.meanwhile = () => Promise.reject(outage);
    for (let runs = 0; runs < 20; runs += 1) {
      world.of(id).isDue = true;
      await world.run(id);
      expect(world.of(id)).toMatchObject({ state: 'parsing', isDue: false, tries: 0, error });
    }
    expect(world.surprises).toHaveLength(20);
    world.parser.meanwhile = () => undefined;
    world.of(id).isDue = true;
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'ready', error: null });
  });

  it('fails in the end when it is unexpected, after growing delays', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.parser.meanwhile = () => Promise.reject(new TypeError('sk-secret'));
    const putOff = jest.spyOn(world.ingestions, 'putOff');
    for (let runs = 0; runs < 8; runs += 1) {
      expect(world.of(id).state).not.toBe('failed');
      world.of(id).isDue = true;
      await world.run(id);
      expect(world.of(id).error).toMatchObject({ code: 'INGESTION_FAILED' });
      expect(world.of(id).error?.text).not.toContain('sk-secret');
    }
    expect(world.of(id)).toMatchObject({ state: 'failed', error: { code: 'INGESTION_FAILED' } });
    const delays = putOff.mock.calls.map(([, delayMs]) => delayMs / 1_000);
    expect(delays).toEqual([30, 30, 30, 54, 162, 486, 600]);
  });

  it('counts anew after a call that has brought something', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a b c d\ne f g h\ni j k l');
    const surprise = new TypeError('sk-secret');
    world.embedder.plan.push(surprise);
    await world.run(id);
    // The ingestion resumes at the embedding step, so no earlier step resets its counters.
    Object.assign(world.of(id), { tries: 7, isDue: true });
    world.embedder.plan.push(() => undefined, surprise);
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'embedding', tries: 1 });
    expect(world.surprises).toEqual([surprise, surprise]);
  });

  it('is unexpected by default, and is retried', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    const surprise = new TypeError('sk-secret');
    world.embedder.plan.push(surprise);
    await world.run(id);
    expect(world.surprises).toEqual([surprise]);
    expect(world.of(id)).toMatchObject({ state: 'embedding', tries: 1 });
  });
});

describe('a parser ended from outside', () => {
  it('and another one reads it', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.parser.losses = 1;
    await world.run(id);
    const error = { code: 'DOCUMENT_TOO_COMPLEX' };
    expect(world.of(id)).toMatchObject({ tries: 1, isDue: false, token: null, error });
    world.of(id).isDue = true;
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'ready', tries: 0, error: null });
    expect(world.surprises).toEqual([]);
  });

  it('again and again, until the document is taken for the reason', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.parser.losses = 99;
    for (let runs = 0; runs < 3; runs += 1) {
      expect(world.of(id)).toMatchObject({ tries: runs, state: runs === 0 ? 'waiting' : 'parsing' });
      world.of(id).isDue = true;
      await world.run(id);
    }
    expect(world.of(id)).toMatchObject({ state: 'failed', error: { code: 'DOCUMENT_TOO_COMPLEX' } });
    expect(world.surprises).toEqual([]);
  });
});
