import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InMemoryBlobs } from '#libs/knowledge';
import { BlobKeeper } from './blob-keeper.js';
import { UploadRoom } from './upload-room.js';

const MIB = 1_048_576;
const MINUTE_MS = 60_000;

describe('a blob on its way', () => {
  /** In minutes. */
  async function announcedFor(mostBytes: number): Promise<number> {
    const announced: number[] = [];
    const disposals = {
      announceBlob: (_tenantId: string, _key: string, forMs: number) => {
        announced.push(forMs);
        return Promise.resolve();
      },
      forgetBlobs: () => Promise.resolve(),
    };
    const blobs = new InMemoryBlobs((bytes) => createHash('sha256').update(bytes).digest());
    const keeper = new BlobKeeper(blobs, disposals, new UploadRoom(2_048 * MIB));
    const bytes = (async function* () {
      yield await Promise.resolve(Buffer.from('a'));
    })();
    await keeper.keep({ tenantId: 't', bytes, field: 'file', mostBytes, announcedBytes: 1 });
    return (announced[0] ?? 0) / MINUTE_MS;
  }

  it('is announced for an hour', async () => {
    expect(await announcedFor(50 * MIB)).toBe(60);
  });

  it('is announced for longer than the longest of its kind may take to come', async () => {
    const slowest = (1_024 * MIB) / 65_536 / 60;
    expect(await announcedFor(1_024 * MIB)).toBeGreaterThanOrEqual(slowest + 30);
  });
});
