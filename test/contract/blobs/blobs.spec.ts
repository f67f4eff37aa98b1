import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FileBlobs, S3Blobs } from '#libs/blob-store';
import { blobKeyOf, InMemoryBlobs } from '#libs/knowledge';
import { S3Server, S3_TEST_CONFIG } from '../../support/services/s3-server.js';
import { describeBlobs } from './blobs.contract.js';

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
  describeBlobs(() => Promise.resolve(new FileBlobs(folder)));

  it.each(['../secret', 'a/../../b', '/etc/passwd', 'a', 'a/b/c', ''])('refuses the key %j', async (key) => {
    await expect(new FileBlobs(folder).read(key)).rejects.toThrow('this is no key of a blob');
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
    await new FileBlobs(folder).remove(key);
    expect(await readdir(folder, { recursive: true })).not.toContain(`${key}.parts`);
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
