import { beforeEach, describe, expect, it } from '@jest/globals';
import { BlobStore, BlobStoreUnavailableError, type WrittenBlob } from '#libs/knowledge';
import { ReportingBlobs } from './reporting-blobs.js';

const KEY = 'default/01999999-9999-7999-8999-999999999999';
const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const UNAVAILABLE = { code: 'FILE_STORE_UNAVAILABLE', kind: 'unavailable', retryable: true, cause: FULL };

/** Consumes the bytes and fails in the given operations. */
class FailingBlobs extends BlobStore {
  failure: Error | null = null;
  parts: (string | Error)[] = [];
  ended = 0;

  override async write(_key: string, bytes: AsyncIterable<Uint8Array>): Promise<WrittenBlob> {
    let sizeBytes = 0;
    for await (const part of bytes) {
      sizeBytes += part.byteLength;
      this.fail();
    }
    return { sizeBytes, contentHash: Buffer.alloc(32) };
  }

  override async read(): Promise<AsyncIterable<Uint8Array> | null> {
    this.fail();
    return Promise.resolve(this.parts.length === 0 ? null : this.all());
  }

  override remove(): Promise<void> {
    this.fail();
    return Promise.resolve();
  }

  override check(): Promise<void> {
    this.fail();
    return Promise.resolve();
  }

  private fail(): void {
    if (this.failure !== null) throw this.failure;
  }

  private async *all(): AsyncGenerator<Uint8Array> {
    try {
      for (const part of this.parts) {
        if (part instanceof Error) throw part;
        yield await Promise.resolve(Buffer.from(part));
      }
    } finally {
      this.ended += 1;
    }
  }
}

let store: FailingBlobs;
let blobs: ReportingBlobs;
let failures: string[];
beforeEach(() => {
  store = new FailingBlobs();
  failures = [];
  blobs = new ReportingBlobs(store, (operation) => failures.push(operation));
});

async function* one(bytes: string, error?: Error): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(bytes));
  if (error) throw error;
}

async function whole(key = KEY): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of (await blobs.read(key)) ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a store that fails', () => {
  const operations: [string, () => Promise<unknown>][] = [
    ['write', () => blobs.write(KEY, one('a'), { mostBytes: 9 })],
    ['read', () => blobs.read(KEY)],
    ['remove', () => blobs.remove(KEY)],
    ['check', () => blobs.check()],
  ];

  it.each(operations)('at %s says so by one name, and is reported', async (operation, work) => {
    store.failure = FULL;
    await expect(work()).rejects.toMatchObject(UNAVAILABLE);
    expect(failures).toEqual([operation]);
  });

  it('at the first bytes says so before anything is read, and later where it is', async () => {
    store.parts = [FULL];
    await expect(blobs.read(KEY)).rejects.toMatchObject(UNAVAILABLE);
    store.parts = ['a', FULL];
    await expect(whole()).rejects.toBeInstanceOf(BlobStoreUnavailableError);
    expect(failures).toEqual(['read', 'read']);
  });
});

describe('a store that works', () => {
  it('is read whole, of nothing as well', async () => {
    store.parts = ['a', 'b', 'c'];
    expect(await whole()).toBe('abc');
    store.parts = [];
    expect(await blobs.read(KEY)).toBeNull();
  });

  it('counts neither aborted uploads nor malformed keys as failures', async () => {
    const broken = new Error('the client is gone');
    await expect(blobs.write(KEY, one('a', broken), { mostBytes: 9 })).rejects.toBe(broken);
    await expect(blobs.read('../secret')).rejects.toThrow('this is no key of a blob');
    expect(failures).toEqual([]);
  });

  it('is informed when the reader stops, also before the first read', async () => {
    store.parts = ['a', 'b'];
    const reading = (await blobs.read(KEY))?.[Symbol.asyncIterator]();
    await reading?.return?.();
    expect(store.ended).toBe(1);
  });
});
