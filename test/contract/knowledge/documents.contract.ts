import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { NewGeneration } from '#libs/knowledge';
import type { KnowledgeBackend } from './knowledge-backend.js';
import { aDocument, AMPLE, anUpload, claim, claimed, finish, ingest } from './knowledge-steps.js';

const replacement = (documentId: string, overrides: Partial<NewGeneration> = {}): NewGeneration => ({
  ...{ ingestionId: randomUUID(), tenantId: 'default', documentId, title: null, given: anUpload() },
  ...{ expected: null, ...overrides },
});

/** Contract of `DocumentStore`: documents are accepted, replaced and removed. */
export function describeDocuments(start: () => Promise<KnowledgeBackend>): void {
  let backend: KnowledgeBackend;
  beforeEach(async () => {
    backend = await start();
  });
  const keyOf = (held: { original: { blobKey: string } | null }) => held.original?.blobKey ?? '';

  describe('a document', () => {
    it('needs a datasource of its tenant', async () => {
      const { documents, datasourceId } = backend;
      expect(await documents.accept(aDocument(datasourceId + 1_000), AMPLE)).toEqual({ kind: 'not_found' });
      const foreign = aDocument(datasourceId, { tenantId: 'other' });
      expect(await documents.accept(foreign, AMPLE)).toEqual({ kind: 'not_found' });
    });

    it.each([
      ['documents', { ...AMPLE, documents: 1 }],
      ['bytes', { ...AMPLE, bytes: 19 }],
    ])('is refused above the quota of %s, and taken in below it', async (bound, quota) => {
      const { documents, datasourceId } = backend;
      const accept = () => documents.accept(aDocument(datasourceId), quota);
      expect(await accept()).toEqual({ kind: 'accepted', generation: 1, version: 1 });
      expect(await accept()).toEqual({ kind: 'over_quota', bound });
    });

    it('is not fetched from a URL where there is no room for a byte', async () => {
      const { documents, datasourceId } = backend;
      const given = { source: 'url', url: 'https://x.test/a' } as const;
      const accept = (bytes: number) =>
        documents.accept(aDocument(datasourceId, { given }), { ...AMPLE, bytes });
      expect(await documents.accept(aDocument(datasourceId), AMPLE)).toMatchObject({ kind: 'accepted' });
      expect(await accept(10)).toEqual({ kind: 'over_quota', bound: 'bytes' });
      expect(await accept(11)).toMatchObject({ kind: 'accepted' });
    });

    it('stays within the quota when many come at the same time', async () => {
      const { documents, datasourceId } = backend;
      const accept = () => documents.accept(aDocument(datasourceId), { ...AMPLE, documents: 3 });
      const kinds = (await Promise.all(Array.from({ length: 8 }, accept))).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(3);
    });

    it('is taken in once under one key, and not at all where another request has used that', async () => {
      const { documents, datasourceId } = backend;
      const under = (key: string, requestSha256: string) =>
        aDocument(datasourceId, { idempotency: { key, requestSha256 } });
      const first = under('k', 'a');
      const few = { ...AMPLE, documents: 1 };
      expect(await documents.accept(first, few)).toMatchObject({ kind: 'accepted' });
      const repeated = { kind: 'repeated', id: first.documentId };
      expect(await documents.accept(under('k', 'a'), few)).toEqual(repeated);
      expect(await documents.accept(under('k', 'b'), few)).toEqual({ kind: 'key_reused' });
      expect(await documents.accept(under('l', 'a'), few)).toEqual({
        kind: 'over_quota',
        bound: 'documents',
      });
      await documents.remove('default', first.documentId, null);
      expect(await documents.accept(under('k', 'b'), few)).toMatchObject({ kind: 'accepted' });
    });

    it('is taken in once when the same request comes several times at once', async () => {
      const { documents, datasourceId } = backend;
      const idempotency = { key: 'k', requestSha256: 'a' };
      const accept = () => documents.accept(aDocument(datasourceId, { idempotency }), AMPLE);
      const kinds = (await Promise.all(Array.from({ length: 6 }, accept))).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['accepted', ...Array.from({ length: 5 }, () => 'repeated')]);
    });

    it('takes its blob over; blobs without an owner are removed', async () => {
      const { documents, datasourceId } = backend;
      const given = anUpload();
      const taken = given.source === 'url' ? '' : given.original.blobKey;
      const left = `default/${randomUUID()}`;
      await documents.announceBlob('default', taken, 60_000);
      await documents.announceBlob('default', left, 60_000);
      expect(await documents.disposableBlobs(10)).toEqual([]);
      await documents.accept(aDocument(datasourceId, { given }), AMPLE);
      await backend.endAnnouncements();
      expect(await documents.disposableBlobs(10)).toEqual([left]);
      await documents.forgetBlobs([left]);
      expect(await documents.disposableBlobs(10)).toEqual([]);
    });

    it('has its blob removed later where that is put off', async () => {
      const { documents } = backend;
      const [stuck, other] = [`default/${randomUUID()}`, `default/${randomUUID()}`];
      for (const key of [stuck, other]) await documents.announceBlob('default', key, 60_000);
      await backend.endAnnouncements();
      await documents.putOffBlobs([stuck], 60_000);
      expect(await documents.disposableBlobs(10)).toEqual([other]);
      await backend.endAnnouncements();
      expect((await documents.disposableBlobs(10)).toSorted()).toEqual([stuck, other].toSorted());
    });
  });

  describe('a removed document', () => {
    it('is gone with its chunks, its vectors and its blob', async () => {
      const held = await ingest(backend, ['a', 'b']);
      expect(await backend.documents.remove('default', held.documentId, null)).toBe('removed');
      expect(await backend.chunkTexts(held.documentId)).toEqual([]);
      expect(await backend.countEmbeddings()).toBe(0);
      expect(await backend.documents.disposableBlobs(10)).toEqual([keyOf(held)]);
      expect(await backend.documents.remove('default', held.documentId, null)).toBe('not_found');
    });

    it('leaves the vectors that another document shares', async () => {
      const held = await ingest(backend, ['a', 'b']);
      await ingest(backend, ['b', 'c']);
      await backend.documents.remove('default', held.documentId, null);
      expect(await backend.countEmbeddings()).toBe(2);
    });

    it('is not there for another tenant, nor in another version', async () => {
      const held = await ingest(backend, ['a']);
      expect(await backend.documents.remove('other', held.documentId, null)).toBe('not_found');
      expect(await backend.documents.remove('default', held.documentId, [7])).toBe('other_version');
      expect(await backend.documents.remove('default', held.documentId, [1])).toBe('removed');
    });

    it('stops the worker that ingests it', async () => {
      const held = await claimed(backend);
      await backend.ingestions.beginChunks(held, 'text');
      await backend.documents.remove('default', held.documentId, null);
      expect(await backend.ingestions.endChunks(held, [])).toBe('lost');
      expect(await backend.ingestions.publish(held)).toBe('lost');
      expect(await backend.ingestions.claim(held.ingestionId, randomUUID(), 1_000)).toBeNull();
    });
  });

  describe('a replaced document', () => {
    it('is searched as it was until the new generation is ready', async () => {
      const held = await ingest(backend, ['old']);
      const next = replacement(held.documentId);
      expect(await backend.documents.replace(next, AMPLE)).toEqual({
        kind: 'accepted',
        generation: 2,
        version: 2,
      });
      expect(await backend.liveGeneration(held.documentId)).toBe(1);
      expect(await backend.chunkTexts(held.documentId)).toEqual(['old']);
      await finish(backend, await claim(backend, next.ingestionId), ['new']);
      expect(await backend.liveGeneration(held.documentId)).toBe(2);
      expect(await backend.chunkTexts(held.documentId)).toEqual(['new']);
      expect(await backend.countEmbeddings()).toBe(1);
      expect(await backend.documents.disposableBlobs(10)).toEqual([keyOf(held)]);
    });

    it('is searched as it was where the new generation fails', async () => {
      const held = await ingest(backend, ['old']);
      const next = replacement(held.documentId);
      await backend.documents.replace(next, AMPLE);
      const second = await claim(backend, next.ingestionId);
      await backend.ingestions.beginChunks(second, 'text');
      await backend.ingestions.fail(second, { code: 'X', text: 'x' });
      expect(await backend.liveGeneration(held.documentId)).toBe(1);
      expect(await backend.chunkTexts(held.documentId)).toEqual(['old']);
    });

    it('gives up a generation that is not ready', async () => {
      const held = await claimed(backend);
      const next = replacement(held.documentId);
      await backend.documents.replace(next, AMPLE);
      expect(await backend.ingestions.beginChunks(held, 'text')).toBe('lost');
      expect(await backend.documents.disposableBlobs(10)).toEqual([keyOf(held)]);
      await finish(backend, await claim(backend, next.ingestionId), ['new']);
      expect(await backend.liveGeneration(held.documentId)).toBe(2);
    });

    it('has room where what it takes the place of goes', async () => {
      const held = await ingest(backend, ['old']);
      const replace = (sizeBytes: number) =>
        backend.documents.replace(replacement(held.documentId, { given: anUpload({ sizeBytes }) }), {
          ...AMPLE,
          bytes: 30,
        });
      expect(await replace(20)).toMatchObject({ kind: 'accepted', generation: 2 });
      expect(await replace(20)).toMatchObject({ kind: 'accepted', generation: 3 });
      expect(await backend.documents.disposableBlobs(10)).toHaveLength(1);
    });

    it('stays as it was above the quota, with what was on its way', async () => {
      const held = await ingest(backend, ['old']);
      const next = replacement(held.documentId);
      await backend.documents.replace(next, AMPLE);
      const tooLarge = replacement(held.documentId, { given: anUpload({ sizeBytes: 21 }) });
      const refusal = { kind: 'over_quota', bound: 'bytes' };
      expect(await backend.documents.replace(tooLarge, { ...AMPLE, bytes: 30 })).toEqual(refusal);
      expect(await backend.documents.disposableBlobs(10)).toEqual([]);
      expect(await backend.chunkTexts(held.documentId)).toEqual(['old']);
      await finish(backend, await claim(backend, next.ingestionId), ['new']);
      expect(await backend.liveGeneration(held.documentId)).toBe(2);
    });

    it('is not there for another tenant, in another version, or above the quota', async () => {
      const { documentId } = await ingest(backend, ['a']);
      const replace = (overrides: Partial<NewGeneration>, quota = AMPLE) =>
        backend.documents.replace(replacement(documentId, overrides), quota);
      expect(await replace({ tenantId: 'other' })).toEqual({ kind: 'not_found' });
      expect(await replace({ expected: [7] })).toEqual({ kind: 'other_version' });
      expect(await replace({}, { ...AMPLE, bytes: 19 })).toEqual({ kind: 'over_quota', bound: 'bytes' });
      expect(await backend.liveGeneration(documentId)).toBe(1);
    });
  });
}
