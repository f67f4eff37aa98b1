import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { folderUse } from './folder-use.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-use-'));
  mkdirSync(join(folder, 'a/b'), { recursive: true });
  writeFileSync(join(folder, 'one'), 'x'.repeat(60));
  writeFileSync(join(folder, 'a/b/two'), 'x'.repeat(40));
  // A way out of the folder is not followed.
  symlinkSync('/', join(folder, 'a/out'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each([
  ['within both limits', { bytes: 120, files: 5 }, 'within'],
  ['with too many bytes', { bytes: 99, files: 10 }, 'over'],
  ['with too many files and folders', { bytes: 1_000, files: 4 }, 'over'],
])('a folder %s', async (_name, limits, use) => {
  expect(await folderUse(folder, limits)).toBe(use);
});

const NOTHING = { bytes: 0, files: 0 };

it('a folder that is gone is within its limits', async () => {
  expect(await folderUse(join(folder, 'nowhere'), NOTHING)).toBe('within');
});

it('a folder that cannot be read has an unknown use', async () => {
  expect(await folderUse(join(folder, 'one'), NOTHING)).toBe('unknown');
});
