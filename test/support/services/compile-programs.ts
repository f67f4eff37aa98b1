import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFile } from '@swc/core';
import { bundlePrograms } from '../../../scripts/build/bundle-programs.ts';
import { STARTED_PROGRAMS } from '../../../scripts/build/programs.ts';
import { TEST_PROGRAM_FOLDER, TEST_PROGRAMS } from './test-programs.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const PROGRAMS = join('test', 'crash', 'programs');

/**
 * Compiles the test programs to `dist/test`, where their relative imports resolve to the built apps, and bundles those that
 * replace a service. They are not part of the build, so no image holds them.
 */
export async function compilePrograms(): Promise<void> {
  const names = readdirSync(join(ROOT, PROGRAMS)).filter((name) => name.endsWith('.ts'));
  await Promise.all(
    names.map(async (name) => {
      const { code } = await transformFile(join(ROOT, PROGRAMS, name), { sourceMaps: 'inline', cwd: ROOT });
      replaceIfChanged(join(ROOT, 'dist', PROGRAMS, name.replace(/\.ts$/, '.js')), code);
    }),
  );
  await bundleTestPrograms(ROOT);
}

/**
 * Bundles the compiled test programs and the programs that they start.
 * @param root of the build
 */
export async function bundleTestPrograms(root: string): Promise<void> {
  const own = Object.fromEntries(TEST_PROGRAMS.map((name) => [name, join(PROGRAMS, `${name}.js`)]));
  await bundlePrograms({ root, programs: { ...STARTED_PROGRAMS, ...own }, folder: TEST_PROGRAM_FOLDER });
}

/** Replaces the file in one step, because another test run may be starting the program right now. */
function replaceIfChanged(path: string, text: string): void {
  if (readUnlessAbsent(path) === text) return;
  mkdirSync(dirname(path), { recursive: true });
  const written = `${path}.${process.pid}`;
  writeFileSync(written, text);
  renameSync(written, path);
}

function readUnlessAbsent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
