import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Setback } from '#libs/knowledge';
import type { KnowledgeBackend } from './knowledge-backend.js';
import {
  aChunk,
  addChunks,
  aDocument,
  AMPLE,
  aVector,
  claim,
  claimed,
  embed,
  ingest,
  LEASE_MS,
  sha256,
  TAKE,
} from './knowledge-steps.js';

const SETBACK = { code: 'BUSY', text: 'b', isTry: true };

/** Contract of `IngestionStore`: dispatch and claims of a generation, and writes that only the claim's holder may make. */
export function describeIngestion(start: () => Promise<KnowledgeBackend>): void {
  let backend: KnowledgeBackend;
  beforeEach(async () => {
    backend = await start();
  });

  describe('dispatch', () => {
    it('sends what is due once, and what could not be sent again', async () => {
      const { documents, ingestions, datasourceId } = backend;
      const { ingestionId, ...document } = aDocument(datasourceId);
      await documents.accept({ ingestionId, ...document }, AMPLE);
      expect(await ingestions.take(TAKE)).toEqual([{ ingestionId }]);
      expect(await ingestions.take(TAKE)).toEqual([]);
      await ingestions.requeue([{ ingestionId }]);
      expect(await ingestions.take(TAKE)).toEqual([{ ingestionId }]);
      expect(await ingestions.take({ ...TAKE, redispatchAfterMs: 0 })).toEqual([{ ingestionId }]);
    });

    it('keeps to what may wait, of one tenant too', async () => {
      const { documents, ingestions, datasourceId } = backend;
      for (let count = 0; count < 5; count += 1) await documents.accept(aDocument(datasourceId), AMPLE);
      expect(await ingestions.take({ ...TAKE, tenantTarget: 2 })).toHaveLength(2);
      expect(await ingestions.take({ ...TAKE, tenantTarget: 2 })).toHaveLength(0);
      expect(await ingestions.take({ ...TAKE, queueTarget: 3 })).toHaveLength(1);
    });

    it('leaves alone what is held, and sends what a lost worker held', async () => {
      const held = await claimed(backend);
      expect(await backend.ingestions.take(TAKE)).toEqual([]);
      await backend.endLease(held.ingestionId);
      expect(await backend.ingestions.take(TAKE)).toEqual([{ ingestionId: held.ingestionId }]);
    });

    it('passes over what is finished', async () => {
      await ingest(backend, ['a']);
      const failed = await claimed(backend);
      await backend.ingestions.fail(failed, { code: 'X', text: 'x' });
      expect(await backend.ingestions.take(TAKE)).toEqual([]);
    });
  });

  describe('a claim', () => {
    it('says what is to be done', async () => {
      const held = await claimed(backend, { title: 'Guide' });
      expect(held).toMatchObject({
        ...{ tenantId: 'default', datasourceId: backend.datasourceId, generation: 1, title: 'Guide' },
        ...{ state: 'waiting', url: null, fileName: 'a.md', mediaType: 'text/markdown' },
        ...{ tries: 0, losses: 0, original: { sizeBytes: 10, contentHash: sha256('whole') } },
        settings: { embedModel: 'sim-embedding', dimensions: 2, chunkTokens: 100, overlapTokens: 10 },
      });
    });

    it('is one at a time; what a lost worker writes changes nothing', async () => {
      const lost = await claimed(backend);
      expect(await backend.ingestions.claim(lost.ingestionId, randomUUID(), LEASE_MS)).toBeNull();
      await backend.endLease(lost.ingestionId);
      const held = await claim(backend, lost.ingestionId);
      expect(held.losses).toBe(1);
      const { ingestions } = backend;
      expect(await ingestions.renew(lost, LEASE_MS)).toBe('lost');
      expect(await ingestions.begin(lost, 'parsing')).toBe('lost');
      expect(await ingestions.beginChunks(lost, 'text')).toBe('lost');
      expect(await ingestions.addChunks(lost, [aChunk(0, 'a')], AMPLE)).toBe('lost');
      expect(await ingestions.endChunks(lost, [])).toBe('lost');
      expect(await ingestions.beginCall(lost)).toBeNull();
      expect(await ingestions.publish(lost)).toBe('lost');
      expect(await ingestions.fail(lost, { code: 'X', text: 'x' })).toBe('lost');
      expect(await ingestions.putOff(lost, 0, SETBACK)).toBe('lost');
      expect(await ingestions.renew(held, LEASE_MS)).toBe('written');
      expect(await backend.chunkTexts(held.documentId)).toEqual([]);
    });

    it('forgets losses as soon as something is written, and counts failures until then', async () => {
      const first = await claimed(backend);
      await backend.endLease(first.ingestionId);
      const second = await claim(backend, first.ingestionId);
      await addChunks(backend, second, ['a']);
      await backend.ingestions.putOff(second, 0, SETBACK);
      const third = await claim(backend, first.ingestionId);
      expect(third).toMatchObject({ losses: 0, tries: 1, state: 'embedding' });
      await embed(backend, third);
      await backend.endLease(third.ingestionId);
      expect(await claim(backend, first.ingestionId)).toMatchObject({ losses: 1, tries: 0 });
    });

    it('is put off for a reason that is seen until a step is done or a call has brought something', async () => {
      const { ingestions } = backend;
      let held = await claimed(backend);
      const { ingestionId } = held;
      const reasons: (string | null)[] = [];
      const note = async (): Promise<unknown> => reasons.push(await backend.errorCode(ingestionId));
      const putOff = async (setback: Setback | null): Promise<void> => {
        await ingestions.putOff(held, 0, setback);
        held = await claim(backend, ingestionId);
        await note();
      };
      await putOff(SETBACK);
      await putOff(null);
      await putOff({ code: 'AWAY', text: 'a', isTry: false });
      expect(held.tries).toBe(1);
      await addChunks(backend, held, ['a']);
      await note();
      await putOff(SETBACK);
      await ingestions.beginCall(held);
      const usage = { call: 1, state: 'failed', model: 'm', inputTokens: null, costUsd: null } as const;
      await ingestions.endCall(held, usage, []);
      await note();
      await embed(backend, held);
      await note();
      await putOff(SETBACK);
      await ingestions.publish(held);
      await note();
      expect(reasons).toEqual(['BUSY', 'BUSY', 'AWAY', null, 'BUSY', 'BUSY', null, 'BUSY', null]);
    });

    it('is not to be had before what was put off is due', async () => {
      const held = await claimed(backend);
      expect(await backend.ingestions.putOff(held, 60_000, null)).toBe('written');
      expect(await backend.ingestions.claim(held.ingestionId, randomUUID(), LEASE_MS)).toBeNull();
      expect(await backend.ingestions.take(TAKE)).toEqual([]);
    });
  });

  describe('an original that is fetched', () => {
    const given = { source: 'url', url: 'https://x.test/a' } as const;
    const original = () => ({ blobKey: `default/${randomUUID()}`, sizeBytes: 20, contentHash: sha256('b') });

    it('is kept', async () => {
      const first = await claimed(backend, { given });
      await backend.ingestions.putOff(first, 0, SETBACK);
      const held = await claim(backend, first.ingestionId);
      expect(held).toMatchObject({ original: null, url: given.url });
      const fetched = original();
      await backend.documents.announceBlob(held.tenantId, fetched.blobKey, 60_000);
      const found = { original: fetched, mediaType: 'text/html', fileName: null };
      expect(await backend.ingestions.keepOriginal(held, found, AMPLE)).toBe('written');
      expect(await backend.errorCode(held.ingestionId)).toBeNull();
      await backend.endAnnouncements();
      expect(await backend.documents.disposableBlobs(10)).toEqual([]);
      await backend.endLease(held.ingestionId);
      expect(await claim(backend, held.ingestionId)).toMatchObject({ state: 'parsing', original: fetched });
    });

    it('is refused above the quota', async () => {
      const held = await claimed(backend, { given });
      const found = { original: original(), mediaType: null, fileName: null };
      const quota = { ...AMPLE, bytes: 19 };
      expect(await backend.ingestions.keepOriginal(held, found, quota)).toEqual({ overQuota: 'bytes' });
    });
  });

  describe('chunks', () => {
    it('are made anew where the worker was lost before all were there', async () => {
      const lost = await claimed(backend);
      await backend.ingestions.beginChunks(lost, 'text');
      await backend.ingestions.addChunks(lost, [aChunk(0, 'a'), aChunk(1, 'b')], AMPLE);
      await backend.endLease(lost.ingestionId);
      const held = await claim(backend, lost.ingestionId);
      expect(held.state).toBe('chunking');
      await addChunks(backend, held, ['c']);
      expect(await backend.chunkTexts(held.documentId)).toEqual(['c']);
    });

    it('are refused above the quota', async () => {
      const held = await claimed(backend);
      await backend.ingestions.beginChunks(held, 'text');
      const quota = { ...AMPLE, chunks: 1 };
      const add = (ordinal: number) => backend.ingestions.addChunks(held, [aChunk(ordinal, 'a')], quota);
      expect(await add(0)).toBe('written');
      expect(await add(1)).toEqual({ overQuota: 'chunks' });
    });
  });

  describe('vectors', () => {
    it('are asked for once for each text, in the order of the document', async () => {
      const held = await claimed(backend);
      await addChunks(backend, held, ['b', 'a', 'b', 'c']);
      const texts = async (limit: number) =>
        (await backend.ingestions.findUnembedded(held, limit)).map(({ text }) => text);
      expect(await texts(10)).toEqual(['b', 'a', 'c']);
      expect(await texts(2)).toEqual(['b', 'a']);
      await backend.ingestions.beginCall(held);
      const usage = { call: 1, state: 'known', model: 'm', inputTokens: 2, costUsd: '0.5' } as const;
      const made = { contentHash: aChunk(0, 'b').contentHash, vector: aVector() };
      expect(await backend.ingestions.endCall(held, usage, [made])).toBe('written');
      expect(await texts(10)).toEqual(['a', 'c']);
    });

    it('are asked for never again: not after a loss, nor by another document', async () => {
      const lost = await claimed(backend);
      await addChunks(backend, lost, ['a', 'b']);
      await embed(backend, lost);
      await backend.endLease(lost.ingestionId);
      const held = await claim(backend, lost.ingestionId);
      expect(await backend.ingestions.findUnembedded(held, 10)).toEqual([]);
      const other = await claimed(backend);
      await addChunks(backend, other, ['b', 'c']);
      expect(await embed(backend, other)).toEqual(['c']);
    });

    it('are not stored after the claim is lost, but their cost is', async () => {
      const lost = await claimed(backend);
      await addChunks(backend, lost, ['a']);
      await backend.ingestions.beginCall(lost);
      await backend.documents.remove('default', lost.documentId, null);
      const usage = { call: 1, state: 'known', model: 'm', inputTokens: 2, costUsd: null } as const;
      const made = [{ contentHash: aChunk(0, 'a').contentHash, vector: aVector() }];
      expect(await backend.usage(lost.ingestionId)).toEqual([{ call: 1, state: 'unknown', tokens: null }]);
      expect(await backend.ingestions.endCall(lost, usage, made)).toBe('lost');
      expect(await backend.countEmbeddings()).toBe(0);
      expect(await backend.usage(lost.ingestionId)).toEqual([{ call: 1, state: 'known', tokens: 2 }]);
    });

    it('leave a call of unknown cost when their worker was lost', async () => {
      const lost = await claimed(backend);
      await addChunks(backend, lost, ['a']);
      expect(await backend.ingestions.beginCall(lost)).toBe(1);
      await backend.endLease(lost.ingestionId);
      const held = await claim(backend, lost.ingestionId);
      await embed(backend, held);
      expect(await backend.usage(held.ingestionId)).toEqual([
        { call: 1, state: 'unknown', tokens: null },
        { call: 2, state: 'known', tokens: 5 },
      ]);
    });
  });

  describe('publishing', () => {
    it('waits for every vector, also for one that went with another document', async () => {
      const other = await ingest(backend, ['a']);
      const held = await claimed(backend);
      await addChunks(backend, held, ['b']);
      expect(await backend.ingestions.publish(held)).toBe('incomplete');
      await embed(backend, held);
      await backend.documents.remove('default', other.documentId, null);
      expect(await backend.ingestions.publish(held)).toBe('written');
      expect(await backend.liveGeneration(held.documentId)).toBe(1);
      expect(await backend.ingestions.claim(held.ingestionId, randomUUID(), LEASE_MS)).toBeNull();
    });
  });

  it('a document that shares texts with another one on its way is done when it is ready', async () => {
    const [held, other] = [await claimed(backend), await claimed(backend)];
    await addChunks(backend, held, ['a', 'b']);
    await addChunks(backend, other, ['b', 'c', 'd']);
    expect(await embed(backend, other)).toEqual(['b', 'c', 'd']);
    expect(await embed(backend, held)).toEqual(['a']);
    expect(await backend.ingestions.publish(held)).toBe('written');
    expect(await backend.progress(held.ingestionId)).toEqual({ done: 2, total: 2 });
  });

  it('a failed generation keeps no chunks and no vectors of its own', async () => {
    const held = await claimed(backend);
    await addChunks(backend, held, ['a']);
    await embed(backend, held);
    expect(await backend.ingestions.fail(held, { code: 'X', text: 'x' })).toBe('written');
    expect(await backend.chunkTexts(held.documentId)).toEqual([]);
    expect(await backend.countEmbeddings()).toBe(0);
    expect(await backend.ingestions.renew(held, LEASE_MS)).toBe('lost');
  });
}
