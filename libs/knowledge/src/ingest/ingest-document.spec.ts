import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { A_WARNING, AMPLE, bytesOf, IngestionWorld } from '../../../../test/support/fakes/ingestion-world.js';
import { EmbeddingError } from '../ports/embedder.js';

describe('taking a document in', () => {
  it('makes chunks and vectors of it, and has it searched', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a b c d\ne f\na b c d');
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'ready', document: { liveGeneration: 1 } });
    expect(world.of(id).chunks.map(({ text }) => text)).toEqual(['a b c d', 'e f', 'a b c d']);
    expect(world.embedder.asked).toEqual([['a b c d', 'e f']]);
    expect(world.knowledge.usage).toMatchObject([
      { call: 1, state: 'known', inputTokens: 2, costUsd: '0.2', model: 'm-1' },
    ]);
    expect(world.surprises).toEqual([]);
  });

  it('leaves turns to other work while it makes the chunks of one large block', async () => {
    const world = new IngestionWorld();
    const id = await world.give(Array.from({ length: 50 }, () => 'a b c d').join(' '));
    await world.run(id);
    const { chunks } = world.of(id);
    expect(chunks.map(({ text }) => text).join(' ')).toHaveLength(50 * 8 - 1);
    expect(world.turns).toBe(4);
  });

  it('says which of its text has no chunk', async () => {
    const world = new IngestionWorld();
    const [whole, partly] = [await world.give('a'), await world.give('a ~')];
    await world.run(whole);
    await world.run(partly);
    expect(world.of(whole)).toMatchObject({ state: 'ready', warnings: [] });
    expect(world.of(partly)).toMatchObject({ state: 'ready', warnings: [A_WARNING] });
  });

  it('does nothing for a job that comes twice', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    await world.run(id);
    await world.run(id);
    await world.run(randomUUID());
    expect(world.embedder.asked).toHaveLength(1);
  });

  it.each<[string, (world: IngestionWorld) => Promise<string>, string]>([
    ['it cannot be read', (world) => world.give('!'), 'DOCUMENT_DAMAGED'],
    ['its original is gone', (world) => world.give('a', { keep: false }), 'DOCUMENT_LOST'],
    [
      'its original is another one',
      async (world) => {
        const id = await world.give('a');
        const { original } = world.of(id);
        await world.blobs.write(original?.blobKey ?? '', bytesOf('b'), { mostBytes: 10 });
        return id;
      },
      'DOCUMENT_LOST',
    ],
    ...['!', '?'].map((refused): [string, (world: IngestionWorld) => Promise<string>, string] => [
      `its original is another one, which cannot be read: ${refused}`,
      async (world) => {
        const id = await world.give('a');
        const { original } = world.of(id);
        await world.blobs.write(original?.blobKey ?? '', bytesOf(refused), { mostBytes: 10 });
        return id;
      },
      'DOCUMENT_LOST',
    ]),
    ['it is of no kind that is known', (world) => world.give('?'), 'DOCUMENT_TYPE_UNSUPPORTED'],
    [
      'it has too many chunks',
      async (world) => {
        const id = await world.give('a b c d\ne f g h');
        world.quota = { ...AMPLE, chunks: 1 };
        return id;
      },
      'KNOWLEDGE_QUOTA_EXCEEDED',
    ],
    [
      'what stands at its URL is too large',
      async (world) => {
        world.fetcher.plan = { bytes: bytesOf('x'.repeat(1_001)), mediaType: null, fileName: null };
        return world.giveUrl();
      },
      'DOCUMENT_TOO_LARGE',
    ],
    ['nothing stands at its URL', (world) => world.giveUrl(), 'DOCUMENT_NOT_FETCHED'],
    [
      'vectors have other dimensions',
      async (world) => {
        world.embedder.plan.push({ vectors: [new Float32Array(4).fill(1)], inputTokens: 7, model: 'm-1' });
        return world.give('a');
      },
      'EMBEDDING_FAILED',
    ],
    [
      'the key is refused',
      async (world) => {
        world.embedder.plan.push(new EmbeddingError('invalid_credentials', 'refused', false));
        return world.give('a');
      },
      'EMBEDDING_FAILED',
    ],
    [
      'worker after worker is lost',
      async (world) => {
        const id = await world.give('a');
        for (let times = 0; times < 3; times += 1) {
          await world.ingestions.claim(id, randomUUID());
          world.of(id).isLeaseOver = true;
        }
        return id;
      },
      'DOCUMENT_TOO_COMPLEX',
    ],
  ])('fails where %s', async (_what, give, code) => {
    const world = new IngestionWorld();
    const id = await give(world);
    await world.run(id);
    expect(world.of(id)).toMatchObject({
      state: 'failed',
      error: { code },
      chunks: [],
      document: { liveGeneration: null },
    });
    expect(world.of(id).error?.text).toMatch(/\.$|refused|planned/);
    expect(world.knowledge.embeddings.size).toBe(0);
    expect(world.surprises).toEqual([]);
  });

  it('pays for an answer that it cannot use', async () => {
    const world = new IngestionWorld();
    world.embedder.plan.push({ vectors: [], inputTokens: 7, model: 'm-1' });
    await world.run(await world.give('a'));
    expect(world.knowledge.usage).toMatchObject([{ state: 'known', inputTokens: 7 }]);
  });
});

describe('a worker that is lost', () => {
  const statesOf = ({ knowledge }: IngestionWorld) => knowledge.usage.map(({ call, state }) => [call, state]);

  it('leaves a call of unknown cost', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.embedder.plan.push(() => {
      throw new Error('as if it were not there any more');
    });
    await world.run(id);
    expect(statesOf(world)).toEqual([[1, 'unknown']]);
    world.of(id).isDue = true;
    await world.run(id);
    expect(world.of(id).state).toBe('ready');
    expect(statesOf(world)).toEqual([
      [1, 'unknown'],
      [2, 'known'],
    ]);
  });

  it('pays for what it is answered after its claim has ended, and keeps nothing of it', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.embedder.plan.push(() => (world.of(id).token = 'of another one'));
    await world.run(id);
    expect(world.of(id)).toMatchObject({ state: 'embedding' });
    expect(world.knowledge.embeddings.size).toBe(0);
    expect(statesOf(world)).toEqual([[1, 'known']]);
  });

  it('does not say of a call that was given up that it has failed', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.embedder.plan.push(async () => {
      world.of(id).token = 'of another one';
      world.timers.tick();
      await new Promise(setImmediate);
      throw new EmbeddingError('aborted', 'Given up.', true);
    });
    await world.run(id);
    expect(statesOf(world)).toEqual([[1, 'unknown']]);
  });

  it('stops as soon as it learns that its claim is lost', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    world.embedder.plan.push(() => {
      world.of(id).token = 'of another one';
      world.timers.tick();
    });
    await world.run(id);
    expect(world.surprises).toEqual([]);
    expect(world.knowledge.embeddings.size).toBe(0);
  });

  it('writes nothing for a document that was deleted in between', async () => {
    const world = new IngestionWorld();
    const id = await world.give('a');
    const { document } = world.of(id);
    world.embedder.plan.push(() => void world.documents.remove('default', document.id, null));
    await world.run(id);
    expect(world.knowledge.ingestions.size).toBe(0);
    expect(world.knowledge.embeddings.size).toBe(0);
    expect(world.surprises).toEqual([]);
    expect(statesOf(world)).toEqual([[1, 'known']]);
  });
});
