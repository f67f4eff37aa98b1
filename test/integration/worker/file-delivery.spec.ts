import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery } from '#libs/tooling';
import { FileDelivery } from '../../../apps/worker/src/execute/file-delivery.js';

const open = (path: string): Delivery => ({
  kind: 'open',
  file: { path, mimeType: 'text/plain', failureText: 'failed' },
});

describe('files of tools', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'capstan-files-'));
    for (const tenant of ['one', 'two']) {
      await mkdir(join(root, tenant));
      await writeFile(join(root, tenant, 'note.txt'), `of ${tenant}`);
    }
  });
  afterAll(() => rm(root, { recursive: true }));

  it('come from the folder of their own tenant (S0-39)', async () => {
    const [file] = await new FileDelivery(root).open('one', [open('/files/note.txt')]);
    expect(file).toMatchObject({ kind: 'file', file: { filename: 'note.txt', base64: btoa('of one') } });
  });

  it.each([
    ['another tenant’s folder', 'one', '/files/../two/note.txt'],
    ['a tenant whose name is a path', '../one', '/files/note.txt'],
    ['a tenant whose name is empty', '', '/files/note.txt'],
  ])('are not let out of %s (S0-40)', async (_name, tenant, path) => {
    expect(await new FileDelivery(root).open(tenant, [open(path)])).toEqual([
      { kind: 'text', text: 'failed' },
    ]);
  });

  it('are not let out where no folder is configured', async () => {
    expect(await new FileDelivery(null).open('one', [open('/files/note.txt')])).toEqual([
      { kind: 'text', text: 'failed' },
    ]);
  });
});
