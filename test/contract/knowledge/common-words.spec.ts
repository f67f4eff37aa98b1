import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExactChunkIndex } from '#libs/persistence';
import { PersistenceWorld } from '../../integration/persistence/persistence-world.js';
import { insertChunks } from './many-chunks.js';
import { inPostgres } from './postgres-backend.js';

/** Number of chunks with the common word, more than a search examines for one word (5,000). */
const COMMON_CHUNKS = 6_000;
const VECTOR = Float32Array.of(1, 0);

describe('a word that is in very many chunks', () => {
  let world: PersistenceWorld;
  let idsOf: (question: string, limit: number) => Promise<readonly number[]>;
  let matching: (question: string) => Promise<readonly string[]>;
  beforeAll(async () => {
    world = await PersistenceWorld.open();
    const { dataSource } = world;
    const { index, datasourceId } = await inPostgres(
      dataSource,
      new ExactChunkIndex(dataSource, { cacheBytes: 0 }),
    );
    const texts = [
      ...Array.from({ length: COMMON_CHUNKS }, () => 'warranty'),
      'granite clause',
      'granite warranty',
    ];
    await insertChunks(
      dataSource,
      datasourceId,
      texts.map(() => VECTOR),
      texts,
    );
    await dataSource.query('ANALYZE chunk');
    idsOf = (question, limit) => index.matching('default', [datasourceId], question, limit);
    matching = async (question) => {
      const ids = await idsOf(question, 10);
      const found = await index.read('default', ids);
      return ids.map(
        (id) =>
          found
            .find(({ chunkId }) => chunkId === id)
            ?.text.split(' ', 4)
            .slice(2)
            .join(' ') ?? '',
      );
    };
  });
  afterAll(() => world.close());

  it('finds nothing where a rarer word does, and counts in the ranking', async () => {
    expect(await matching('granite warranty')).toEqual(['granite warranty', 'granite clause']);
  });

  it('finds where nothing else is asked for', async () => {
    expect(await matching('warranty')).toEqual(Array.from({ length: 10 }, () => 'warranty'));
  });

  it('is ranked for no more chunks than a search looks at', async () => {
    expect(await idsOf('warranty', COMMON_CHUNKS)).toHaveLength(5_000);
  });
});
