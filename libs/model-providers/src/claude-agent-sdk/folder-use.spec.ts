import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isOverfull } from './folder-use.js';

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
  ['within both limits', { bytes: 120, files: 3 }, false],
  ['with too many bytes', { bytes: 99, files: 10 }, true],
  ['with too many files', { bytes: 1_000, files: 2 }, true],
])('a folder %s', async (_name, limits, isOver) => {
  expect(await isOverfull(folder, limits)).toBe(isOver);
});

it('a folder that is gone is not too full', async () => {
  expect(await isOverfull(join(folder, 'nowhere'), { bytes: 0, files: 0 })).toBe(false);
});
