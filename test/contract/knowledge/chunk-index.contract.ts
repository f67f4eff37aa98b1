import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ChunkIndex, ClaimedIngestion, DocumentWarning } from '#libs/knowledge';
import type { KnowledgeBackend } from './knowledge-backend.js';
import { addChunks, AMPLE, anUpload, claim, claimed } from './knowledge-steps.js';

/** A backend with an index that reads the rows of the backend's stores. */
export interface IndexBackend extends KnowledgeBackend {
  readonly index: ChunkIndex;
}

const NEVER = new AbortController().signal;
const EAST = Float32Array.of(1, 0);

/** Vectors of texts as 16-bit floats, named by their distance from (1, 0). */
const VECTORS: Readonly<Record<string, Float16Array>> = {
  near: Float16Array.of(1, 0),
  middle: Float16Array.of(0.8, 0.6),
  far: Float16Array.of(0, 1),
};
const vectorOf = (text: string): Buffer =>
  Buffer.from((VECTORS[text.split(' ')[0] ?? ''] ?? Float16Array.of(-1, 0)).buffer);

export function describeChunkIndex(start: () => Promise<IndexBackend>): void {
  let backend: IndexBackend;
  beforeEach(async () => {
    backend = await start();
  });

  const embedAll = async (
    held: ClaimedIngestion,
    texts: readonly string[],
    warnings: readonly DocumentWarning[] = [],
  ): Promise<void> => {
    await addChunks(backend, held, texts, warnings);
    const missing = await backend.ingestions.findUnembedded(held, 100);
    const call = (await backend.ingestions.beginCall(held)) ?? 0;
    const usage = { call, state: 'known', model: 'm', inputTokens: 5, costUsd: null } as const;
    const made = missing.map(({ contentHash, text }) => ({ contentHash, vector: vectorOf(text) }));
    await backend.ingestions.endCall(held, usage, made);
  };
  const publish = async (...texts: string[]): Promise<ClaimedIngestion> => {
    const held = await claimed(backend);
    await embedAll(held, texts);
    expect(await backend.ingestions.publish(held)).toBe('written');
    return held;
  };
  const where = async (tenantId = 'default', datasourceIds = [backend.datasourceId]) => {
    const [found] = await backend.index.datasources('default', [backend.datasourceId]);
    if (found === undefined) throw new Error('no datasource');
    return { tenantId, datasourceIds, space: found };
  };
  const textsOf = async (ids: readonly number[]): Promise<readonly (string | undefined)[]> => {
    const read = await backend.index.read('default', ids);
    return ids.map((id) => read.find(({ chunkId }) => chunkId === id)?.text);
  };
  const nearest = async (limit = 10, ...of: Parameters<typeof where>) => {
    const near = await backend.index.nearest(await where(...of), EAST, limit, NEVER);
    return textsOf(near.map(({ chunkId }) => chunkId));
  };
  const matching = async (question: string, tenantId = 'default') =>
    textsOf(await backend.index.matching(tenantId, [backend.datasourceId], question, 10));

  describe('by meaning', () => {
    it('the nearest come first, as many as are asked for', async () => {
      await publish('far', 'near', 'middle', 'behind');
      expect(await nearest()).toEqual(['near', 'middle', 'far', 'behind']);
      expect(await nearest(2)).toEqual(['near', 'middle']);
    });

    it('says how near they are', async () => {
      await publish('far', 'near', 'middle', 'behind');
      const near = await backend.index.nearest(await where(), EAST, 10, NEVER);
      const expected = [1, 0.8, 0, -1];
      for (const [index, { similarity }] of near.entries())
        expect(similarity).toBeCloseTo(expected[index] ?? 9, 2);
    });

    it('equally near chunks are ordered by their ids', async () => {
      await publish('near a', 'near b');
      await publish('near c', 'near d');
      expect(await nearest(3)).toEqual(['near a', 'near b', 'near c']);
    });

    it('chunks that share a vector are all found', async () => {
      await publish('near', 'far');
      await publish('near');
      expect(await nearest()).toEqual(['near', 'near', 'far']);
    });

    it('nothing of another tenant, datasource or space', async () => {
      await publish('near');
      expect(await nearest(10, 'other')).toEqual([]);
      expect(await nearest(10, 'default', [backend.datasourceId + 1_000])).toEqual([]);
      expect(await backend.index.datasources('other', [backend.datasourceId])).toEqual([]);
    });
  });

  describe('by words', () => {
    it('chunks that share words with a question, in headings too, with more matches first', async () => {
      await publish('near granite', 'far marble', 'near granite quarry');
      expect(await matching('Which granite is in the quarry?')).toEqual([
        'near granite quarry',
        'near granite',
      ]);
      expect(await matching('basalt')).toEqual([]);
      expect(await matching('granite', 'other')).toEqual([]);
    });

    it('scripts without spaces match by pairs of adjacent characters', async () => {
      await publish('near 検索機能について', 'far 東京タワーへの行き方', 'near granite');
      expect(await matching('検索')).toEqual(['near 検索機能について']);
      expect(await matching('東京への旅')).toEqual(['far 東京タワーへの行き方']);
      expect(await matching('大阪')).toEqual([]);
    });

    it.each([
      '',
      ' ',
      "'",
      "it's \\ ' & | ! <-> :* ()",
      '検索機能について',
      '\u0000',
      '\ud83d',
      '%_"',
      'the',
    ])('any question is safe: %j', async (question) => {
      await publish('near granite');
      expect(await matching(question)).toEqual([]);
      expect(await matching(`${question} granite`)).toEqual(['near granite']);
    });
  });

  describe('live chunks', () => {
    it('nothing before it is published, and nothing that failed', async () => {
      const held = await claimed(backend);
      await embedAll(held, ['near granite']);
      expect(await nearest()).toEqual([]);
      expect(await matching('granite')).toEqual([]);
      await backend.ingestions.fail(held, { code: 'X', text: 'x' });
      expect(await nearest()).toEqual([]);
    });

    it('a removed document is gone at once, from what was found before too', async () => {
      const held = await publish('near granite', 'far');
      await publish('middle');
      const before = await backend.index.nearest(await where(), EAST, 10, NEVER);
      await backend.documents.remove('default', held.documentId, null);
      expect(await nearest()).toEqual(['middle']);
      expect(await matching('granite')).toEqual([]);
      expect(await textsOf(before.map(({ chunkId }) => chunkId))).toEqual([undefined, 'middle', undefined]);
    });

    it('a replaced document is found as it was until the new generation is ready', async () => {
      const held = await publish('near old');
      const next = {
        ...{ ingestionId: randomUUID(), tenantId: 'default', documentId: held.documentId, title: 'New' },
        ...{ given: anUpload(), expected: null },
      };
      await backend.documents.replace(next, AMPLE);
      const second = await claim(backend, next.ingestionId);
      await embedAll(second, ['middle new']);
      expect(await nearest()).toEqual(['near old']);
      expect(await matching('new old')).toEqual(['near old']);
      await backend.ingestions.publish(second);
      expect(await nearest()).toEqual(['middle new']);
      expect(await matching('new old')).toEqual(['middle new']);
    });

    it('have their source, and are read by their tenant only', async () => {
      const { documentId } = await publish('near granite');
      const [near] = await backend.index.nearest(await where(), EAST, 1, NEVER);
      const ids = [near?.chunkId ?? 0];
      expect(await backend.index.read('default', ids)).toMatchObject([
        {
          ...{ chunkId: ids[0], datasourceId: backend.datasourceId, documentId, title: 'A' },
          ...{ headings: ['H'], page: null, text: 'near granite', vector: vectorOf('near') },
        },
      ]);
      expect(await backend.index.read('other', ids)).toEqual([]);
    });

    it('have their position, and the losses of their document', async () => {
      const lost: DocumentWarning = { code: 'no_text_on_page', pages: [2, 3], page_count: 2 };
      const held = await claimed(backend);
      await embedAll(held, ['near', 'far'], [lost]);
      await backend.ingestions.publish(held);
      const [near] = await backend.index.nearest(await where(), EAST, 1, NEVER);
      const [read] = await backend.index.read('default', [near?.chunkId ?? 0]);
      expect(read).toMatchObject({ ordinal: 0, repeatedChars: 0, warnings: [lost] });
    });
  });
}
