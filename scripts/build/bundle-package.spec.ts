import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { bundlePackage } from './bundle-package.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Maximum size of the client in a page that loads nothing else of the package, in bytes after gzip. */
const MAX_CLIENT = 15_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-bundle-'));
  await bundlePackage(ROOT, folder);
});
afterAll(() => rm(folder, { recursive: true }));

const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');

describe('the bundles of the package', () => {
  it('have a client of less than 15 kB', async () => {
    const options = { bundle: true, minify: true, write: false, format: 'esm', platform: 'neutral' } as const;
    const { outputFiles } = await build({ ...options, entryPoints: [join(folder, 'client.js')] });
    const size = gzipSync(outputFiles[0]?.contents ?? '').length;
    expect(size).toBeGreaterThan(5_000);
    expect(size).toBeLessThan(MAX_CLIENT);
  });

  it('have the client once, which imports nothing', async () => {
    const parts = await Promise.all(
      (await readdir(join(folder, 'parts'))).map((file) => read(`parts/${file}`)),
    );
    expect(parts.filter((text) => text.includes('The execution was cancelled.'))).toHaveLength(1);
    const imports = [...parts, await read('client.js')].flatMap(
      (text) => text.match(/from "[^".][^"]*"/g) ?? [],
    );
    expect(imports).toEqual([]);
  });

  it('leave React to the page', async () => {
    expect(await read('react.js')).toContain('from "react"');
  });

  it('have a program that a shell can start', async () => {
    expect((await read('cli.js')).startsWith('#!/usr/bin/env node\n')).toBe(true);
  });
});
