import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { makeRunFolder, sweepRunFolders } from './run-folders.js';

const root = mkdtempSync(join(tmpdir(), 'run-folders-'));
afterEach(() => rm(root, { recursive: true, force: true }));

it('removes the folders that dead workers have left, and no other', async () => {
  const own = makeRunFolder(root);
  // No process has this id.
  for (const name of ['capstan-claude-4194999-a', 'capstan-claude-x', 'another']) mkdirSync(join(root, name));
  await sweepRunFolders(root);
  expect(
    readdirSync(root)
      .map((name) => join(root, name))
      .toSorted(),
  ).toEqual([own, join(root, 'another'), join(root, 'capstan-claude-x')].toSorted());
});
