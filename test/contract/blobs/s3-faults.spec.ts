import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { S3Blobs } from '#libs/blob-store';
import { blobKeyOf } from '#libs/knowledge';
import { FaultyS3, type S3Fault } from '../../support/services/faulty-s3.js';
import { QUICK, S3Server, S3_TEST_CONFIG } from '../../support/services/s3-server.js';

const AMPLE = { mostBytes: 10_000_000 };
const DOWN: S3Fault = { kind: 'status', status: 503, code: 'SlowDown' };

describe('an object store in trouble', () => {
  let server: S3Server;
  let faulty: FaultyS3;
  let blobs: S3Blobs;
  let key: string;
  const bytes = randomBytes(1_000_000);

  beforeEach(async () => {
    server = await S3Server.start();
    faulty = await FaultyS3.before(server.url);
    blobs = blobsAt(faulty.url);
    key = blobKeyOf('default', randomUUID());
  });
  afterEach(async () => {
    await faulty.stop();
    await server.stop();
  });

  it.each<[string, S3Fault[]]>([
    ['is busy', [DOWN, { kind: 'status', status: 500, code: 'InternalError' }]],
    ['is silent', [{ kind: 'silence' }]],
    ['breaks off in the middle', [{ kind: 'cut_upload', afterBytes: 300_000 }]],
    ['gets other bytes than were sent', [{ kind: 'flipped_upload' }]],
  ])('is given the same bytes again where it %s', async (_how, faults) => {
    faulty.faults.push(...faults);
    await blobs.write(key, one(bytes), AMPLE);
    expect(faulty.seen).toEqual([...faults.map(() => 'PUT'), 'PUT']);
    expect(await whole(blobs, key)).toEqual(bytes);
  });

  it.each<[string, S3Fault]>([
    ['is away for good', DOWN],
    ['always gets other bytes', { kind: 'flipped_upload' }],
    ['always breaks off', { kind: 'cut_upload', afterBytes: 10 }],
  ])('keeps nothing where it %s', async (_how, fault) => {
    faulty.faults.push(...Array.from({ length: 5 }, () => fault));
    await expect(blobs.write(key, one(bytes), AMPLE)).rejects.toThrow();
    expect(faulty.seen).toHaveLength(5);
    expect(await blobs.read(key)).toBeNull();
    expect(await server.files()).toEqual([]);
  });

  it('is not asked again where it refuses', async () => {
    faulty.faults.push({ kind: 'status', status: 403, code: 'AccessDenied' });
    await expect(blobs.write(key, one(bytes), AMPLE)).rejects.toThrow(
      'the object store answers PUT with 403 (AccessDenied)',
    );
    expect(faulty.seen).toEqual(['PUT']);
  });

  it('is not asked at all for what is too large or breaks off', async () => {
    await blobs.write(key, one(bytes), { mostBytes: 999_999 });
    await expect(blobs.write(key, broken(), AMPLE)).rejects.toThrow('broke off');
    expect(faulty.seen).toEqual([]);
  });

  it('goes on with a download where it broke off', async () => {
    await blobs.write(key, one(bytes), AMPLE);
    faulty.faults.push({ kind: 'cut_download', afterBytes: 200_000 }, DOWN, {
      kind: 'cut_download',
      afterBytes: 300_000,
    });
    expect(await whole(blobs, key)).toEqual(bytes);
    expect(faulty.seen).toEqual([
      'PUT',
      'GET',
      'GET bytes=200000-',
      'GET bytes=200000-',
      'GET bytes=500000-',
    ]);
  });

  it('does not go on with another object than it began', async () => {
    await blobs.write(key, one(bytes), AMPLE);
    faulty.faults.push({ kind: 'cut_download', afterBytes: 200_000 });
    const reading = (await blobs.read(key))?.[Symbol.asyncIterator]();
    await reading?.next();
    await blobs.write(key, one(randomBytes(1_000_000)), AMPLE);
    await expect(drain(reading)).rejects.toThrow();
  });

  it('gives up a download that brings nothing more', async () => {
    await blobs.write(key, one(bytes), AMPLE);
    faulty.faults.push(
      ...Array.from({ length: 5 }, () => ({ kind: 'cut_download', afterBytes: 0 }) as const),
    );
    await expect(whole(blobs, key)).rejects.toThrow();
  });

  it('says that it is not there, and never why in words of secrets', async () => {
    const elsewhere = new S3Blobs({ ...S3_TEST_CONFIG, bucket: 'other', endpoint: server.url }, QUICK);
    await expect(elsewhere.read(key)).rejects.toThrow('404 (NoSuchBucket)');
    await expect(elsewhere.check()).rejects.toThrow('404');
    const stranger = new S3Blobs(
      { ...S3_TEST_CONFIG, secretAccessKey: 'wrong', endpoint: server.url },
      QUICK,
    );
    await expect(stranger.read(key)).rejects.toThrow(
      /^the object store answers GET with 403 \(SignatureDoesNotMatch\)$/,
    );
  });
});

function blobsAt(endpoint: string): S3Blobs {
  return new S3Blobs({ ...S3_TEST_CONFIG, endpoint }, { ...QUICK, silenceMs: 1_000 });
}

async function* one(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('begun'));
  throw new Error('broke off');
}

async function whole(blobs: S3Blobs, key: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of (await blobs.read(key)) ?? []) parts.push(part);
  return Buffer.concat(parts);
}

async function drain(reading: AsyncIterator<Uint8Array> | undefined): Promise<void> {
  while ((await reading?.next())?.done === false);
}
