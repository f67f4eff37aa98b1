import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { programFile } from '../../../scripts/build/programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FILL = join(ROOT, 'scripts', 'build', 'fill-compile-cache.ts');

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-compiled-'));
  env = { NODE_COMPILE_CACHE: folder };
  await promisify(execFile)(process.execPath, [FILL], { env });
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The files in Node's compile cache, in a folder for the flags of each thread. */
const kept = async (): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

it.each(['api', 'worker'] as const)(
  'the %s compiles nothing when it starts but its first lines',
  async (name) => {
    const before = await kept();
    // The program loads all imports before it reads its settings, and writes the cache when it ends.
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, programFile(name))], { env });
    expect({ status, stderr: String(stderr) }).toEqual({
      status: 1,
      stderr: expect.stringContaining('DATABASE_URL'),
    });
    expect(before.length).toBeGreaterThan(10);
    expect(await kept()).toHaveLength(before.length + 1);
  },
);
