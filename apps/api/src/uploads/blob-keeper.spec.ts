import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobStoreUnavailableError, type BlobStore } from '#libs/knowledge';
import { BlobKeeper } from './blob-keeper.js';
import { UploadRoom } from './upload-room.js';
import { InMemoryBlobs } from '../../../../test/support/fakes/knowledge/in-memory-blobs.js';

/** Disposal delay of each announced blob, in ms, by key. */
let announced: Map<string, number>;
let blobs: InMemoryBlobs;
/** Keys of the store's `remove` calls. */
let removed: string[];
/** Announced delays at the moment of the first read; null before it. */
let announcedAtFirst: readonly number[] | null;

beforeEach(() => {
  announced = new Map();
  removed = [];
  announcedAtFirst = null;
  blobs = inMemory();
});

const inMemory = (): InMemoryBlobs =>
  new InMemoryBlobs((bytes) => createHash('sha256').update(bytes).digest());

const keeperOf = (store: BlobStore): BlobKeeper =>
  new BlobKeeper(
    store,
    {
      announceBlob: (_tenantId, blobKey, afterMs) => {
        announced.set(blobKey, afterMs);
        return Promise.resolve();
      },
      forgetBlobs: (keys) => {
        for (const key of keys) announced.delete(key);
        return Promise.resolve();
      },
    },
    new UploadRoom(1_000),
  );

async function* coming(breaksOff: boolean): AsyncGenerator<Uint8Array> {
  announcedAtFirst = [...announced.values()];
  yield await Promise.resolve(Buffer.from('four'));
  if (breaksOff) throw new Error('the client went away');
}

const keep = (store: BlobStore, { mostBytes = 100, breaksOff = false } = {}) =>
  keeperOf(store).keep({
    ...{ tenantId: 'acme', bytes: coming(breaksOff), field: 'file', mostBytes, announcedBytes: mostBytes },
  });

describe('the bytes of a request', () => {
  it('is on the list of what is removed in an hour before its first byte, until something refers to it', async () => {
    const { blobKey, sizeBytes } = await keep(blobs);
    expect([announcedAtFirst, sizeBytes]).toEqual([[3_600_000], 4]);
    expect([...announced]).toEqual([[blobKey, 3_600_000]]);
  });

  it('is on that list for longer where the longest of its kind takes longer to come', async () => {
    const mostBytes = 1_073_741_824;
    await keep(blobs, { mostBytes });
    expect(announcedAtFirst?.[0]).toBeGreaterThanOrEqual((mostBytes / 65_536) * 1_000 + 1_800_000);
  });

  it.each([
    ['is too large', { mostBytes: 3 }],
    ['breaks off', { breaksOff: true }],
  ])('is gone at once where it %s', async (_what, coming) => {
    await expect(keep(blobs, coming)).rejects.toThrow();
    expect([announcedAtFirst, [...announced]]).toEqual([[3_600_000], []]);
  });

  it('stays on the list where the store fails, which is not asked for more', async () => {
    const away: BlobStore = Object.assign(inMemory(), {
      write: () => Promise.reject(new BlobStoreUnavailableError('away')),
      remove: (key: string) => {
        removed.push(key);
        return Promise.resolve();
      },
    });
    await expect(keep(away)).rejects.toThrow(BlobStoreUnavailableError);
    expect([[...announced.values()], removed]).toEqual([[3_600_000], []]);
  });
});
