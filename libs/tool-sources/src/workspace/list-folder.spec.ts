import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { listFolder } from './list-folder.js';

const LIMITS = { files: 10, depth: 3 };
let base: string;
let root: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'capstan-workspace-'));
  root = join(base, 'session');
  await mkdir(join(root, 'b', 'c', 'd'), { recursive: true });
  await writeFile(join(root, 'a.txt'), '12345');
  await writeFile(join(root, 'b', 'x.txt'), '');
  await writeFile(join(root, 'b', 'c', 'y.txt'), '1');
});
afterEach(() => rm(base, { recursive: true }));

it('finds regular files at any depth, by path', async () => {
  await rm(join(root, 'b', 'c', 'd'), { recursive: true });
  expect(await listFolder(root, LIMITS)).toEqual({
    files: [
      { path: 'a.txt', bytes: 5 },
      { path: 'b/c/y.txt', bytes: 1 },
      { path: 'b/x.txt', bytes: 0 },
    ],
    isCut: false,
  });
});

it('follows no link, to a file or to a folder', async () => {
  await rm(join(root, 'b'), { recursive: true });
  await writeFile(join(base, 'secret.txt'), 'secret');
  await symlink(join(base, 'secret.txt'), join(root, 'linked.txt'));
  await symlink(base, join(root, 'up'));
  expect(await listFolder(root, LIMITS)).toEqual({ files: [{ path: 'a.txt', bytes: 5 }], isCut: false });
});

it('stops at its limits, and says so', async () => {
  expect(await listFolder(root, { ...LIMITS, files: 1 })).toEqual({
    files: [{ path: 'a.txt', bytes: 5 }],
    isCut: true,
  });
  expect(await listFolder(root, { ...LIMITS, depth: 3 })).toMatchObject({ isCut: true });
});

it('finds nothing in a folder that is not there', async () => {
  expect(await listFolder(join(base, 'none'), LIMITS)).toEqual({ files: [], isCut: false });
});
