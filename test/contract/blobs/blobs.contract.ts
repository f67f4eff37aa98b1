import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { blobKeyOf, TOO_LARGE, type BlobStore } from '#libs/knowledge';

/** Contract of `BlobStore` that every backend keeps. */
export function describeBlobs(start: () => Promise<BlobStore>): void {
  let blobs: BlobStore;
  let key: string;
  beforeEach(async () => {
    blobs = await start();
    key = blobKeyOf('default', randomUUID());
  });
  const AMPLE = { mostBytes: 10_000_000 };

  it.each([0, 1, 300_000])('keeps %i bytes as they came, and says how many and which', async (size) => {
    const bytes = randomBytes(size);
    const written = await blobs.write(key, inParts(bytes, 65_536), AMPLE);
    expect(written).toEqual({ sizeBytes: size, contentHash: createHash('sha256').update(bytes).digest() });
    expect(await whole(blobs, key)).toEqual(bytes);
  });

  it('has nothing under another key, nor what was removed', async () => {
    expect(await blobs.read(key)).toBeNull();
    await blobs.write(key, inParts(Buffer.from('a'), 1), AMPLE);
    expect(await blobs.read(blobKeyOf('other', randomUUID()))).toBeNull();
    await blobs.remove(key);
    expect(await blobs.read(key)).toBeNull();
    await expect(blobs.remove(key)).resolves.toBeUndefined();
  });

  it('keeps nothing of what is too large', async () => {
    const bytes = Buffer.from('12345');
    expect(await blobs.write(key, inParts(bytes, 2), { mostBytes: 4 })).toBe(TOO_LARGE);
    expect(await blobs.read(key)).toBeNull();
    expect(await blobs.write(key, inParts(bytes, 2), { mostBytes: 5 })).toMatchObject({ sizeBytes: 5 });
  });

  it('keeps nothing of what broke off', async () => {
    const broken = async function* () {
      yield await Promise.resolve(Buffer.from('begun'));
      throw new Error('broke off');
    };
    await expect(blobs.write(key, broken(), AMPLE)).rejects.toThrow('broke off');
    expect(await blobs.read(key)).toBeNull();
  });

  it('is not harmed by who stops reading', async () => {
    const bytes = randomBytes(1_000_000);
    await blobs.write(key, inParts(bytes, 65_536), AMPLE);
    const reading = (await blobs.read(key))?.[Symbol.asyncIterator]();
    await reading?.next();
    await reading?.return?.();
    expect(await whole(blobs, key)).toEqual(bytes);
  });

  it('is there to be asked', async () => {
    await expect(blobs.check()).resolves.toBeUndefined();
  });

  it('keeps tenants with any names apart', async () => {
    const id = randomUUID();
    const keys = ['a', 'a/b', '../a', 'a_2f_b', 'ä'].map((tenant) => blobKeyOf(tenant, id));
    expect(new Set(keys).size).toBe(keys.length);
    for (const one of keys) await blobs.write(one, inParts(Buffer.from(one), 100), AMPLE);
    for (const one of keys) expect((await whole(blobs, one)).toString()).toBe(one);
  });
}

async function* inParts(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function whole(blobs: BlobStore, key: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of (await blobs.read(key)) ?? []) parts.push(part);
  return Buffer.concat(parts);
}
