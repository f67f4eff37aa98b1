import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FileBlobs } from '#libs/blob-store';
import { InMemoryBlobs } from '#libs/knowledge';
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
    expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
