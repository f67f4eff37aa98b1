import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FileBlobs, S3Blobs } from '#libs/blob-store';
import { blobKeyOf } from '#libs/knowledge';
import { S3Server, S3_TEST_CONFIG } from '../../support/services/s3-server.js';
import { describeBlobs } from './blobs.contract.js';
import { InMemoryBlobs } from '../../support/fakes/knowledge/in-memory-blobs.js';

describe('blobs in memory', () => {
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  describeBlobs(() => Promise.resolve(new InMemoryBlobs(hash)));
});

describe('blobs in files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  describeBlobs(() => Promise.resolve(new FileBlobs(folder, () => Promise.resolve([]))));

  it.each(['../secret', 'a/../../b', '/etc/passwd', 'a', 'a/b/c', ''])('refuses the key %j', async (key) => {
    await expect(new FileBlobs(folder, () => Promise.resolve([])).read(key)).rejects.toThrow(
      'this is no key of a blob',
    );
  });

  it('leaves no parts behind', async () => {
    const names = await readdir(folder, { recursive: true });
    expect(names.filter((name) => name.includes('.parts'))).toEqual([]);
  });

  it('removes with a blob what a writer has left of it who died', async () => {
    const key = blobKeyOf('default', randomUUID());
    const parts = join(folder, `${key}.parts`);
    await mkdir(parts, { recursive: true });
    await writeFile(join(parts, randomUUID()), 'half of it');
    await new FileBlobs(folder, () => Promise.resolve([])).remove(key);
    expect(await readdir(folder, { recursive: true })).not.toContain(`${key}.parts`);
  });
});

describe('a folder of blobs', () => {
  let root: string;
  let folder: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'blobs-'));
    folder = join(root, 'of/files');
  });
  afterEach(() => rm(root, { recursive: true }));
  const key = blobKeyOf('default', randomUUID());
  const knowing = (...known: string[]) => new FileBlobs(folder, () => Promise.resolve(known));
  const write = (blobs: FileBlobs) => blobs.write(key, Readable.from([Buffer.from('a')]), { mostBytes: 10 });
  const EVERYTHING: readonly [string, (blobs: FileBlobs) => Promise<unknown>][] = [
    ['write', write],
    ['read', (blobs) => blobs.read(key)],
    ['remove', (blobs) => blobs.remove(key)],
    ['check', (blobs) => blobs.check()],
  ];

  it.each(EVERYTHING)('is begun by the first who asks, before any blob is known: %s', async (_what, ask) => {
    await ask(knowing());
    await expect(knowing(key).read(blobKeyOf('default', randomUUID()))).resolves.toBeNull();
  });

  it.each(EVERYTHING)('is refused when it is empty and blobs are known: %s', async (_what, ask) => {
    await expect(ask(knowing(key))).rejects.toThrow('is its disk there?');
    expect(await readdir(root)).toEqual([]);
    await mkdir(folder, { recursive: true });
    await expect(ask(knowing(key))).rejects.toThrow('is its disk there?');
    expect(await readdir(folder)).toEqual([]);
  });

  it('from before there were marks is known by a blob', async () => {
    await write(knowing());
    await rm(join(folder, '.capstan-files'));
    const lost = blobKeyOf('default', randomUUID());
    expect(await knowing(lost, key).read(lost)).toBeNull();
    await expect(knowing(lost).check()).resolves.toBeUndefined();
  });
});

describe.each([
  ['path', { isPathStyle: true, prefix: '' }],
  ['path, below a prefix', { isPathStyle: true, prefix: 'of/capstan' }],
  ['host', { isPathStyle: false, prefix: 'of-capstan' }],
])('blobs in a bucket that is named in the %s', (_where, style) => {
  let server: S3Server;
  beforeAll(async () => {
    server = await S3Server.start({ checksSignatures: style.isPathStyle });
  });
  afterAll(() => server.stop());
  describeBlobs(() =>
    Promise.resolve(
      new S3Blobs({ ...S3_TEST_CONFIG, endpoint: server.endpoint, ...style }, server.dependencies),
    ),
  );
});
