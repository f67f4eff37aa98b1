import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { withExclusiveLock } from '../bootstrap/exclusive-lock.mjs';
import { npmCommand } from '../bootstrap/packages.mjs';
import type { CommandContext } from './run-until-stopped.ts';
import { killGroup } from './service-process.ts';

const SOURCE_FOLDERS = ['apps', 'libs', 'docs', 'packages/capstan/src'];
const BUILDER = 'scripts/build';
const BUILT_FOLDERS = [
  ...['dist/apps', 'dist/libs', 'dist/programs', 'dist/simulator'],
  'examples/node_modules/capstan',
];
const SETTINGS = ['package.json', '.swcrc'];

/**
 * Whether `dist` was built from the current sources, by names, sizes and times, so that a removed file counts as a change.
 */
export function buildIsCurrent(root: string): boolean {
  const isBuilt = BUILT_FOLDERS.every((folder) => existsSync(join(root, folder)));
  return isBuilt && readRecord(root) === fingerprintOfSources(root);
}

/**
 * Builds `dist` by the npm script `build` unless it is current or another command is building it. Removes nothing first,
 * since services may run from it.
 * @throws {Error} with the compiler's output
 */
export async function provideBuild(root: string): Promise<void> {
  if (buildIsCurrent(root)) return;
  await withExclusiveLock(join(root, '.local', 'build.lock'), async () => {
    if (buildIsCurrent(root)) return;
    const fingerprint = fingerprintOfSources(root);
    await compile(root);
    writeFileSync(recordFile(root), `${fingerprint}\n`);
  });
}

/**
 * Keeps the compiled modules of `dist` current: the npm script `compile` in watch mode. Resolves after the first build.
 * @param options.onLine receives the compiler's output
 * @throws {Error} when the compiler exits before its first build
 */
export async function watchBuild(options: {
  root: string;
  context: CommandContext;
  onLine: (line: string) => void;
}): Promise<void> {
  const { root, context, onLine } = options;
  const npm = npmCommand();
  const compiler = execa(npm.program, [...npm.args, 'run', '--silent', 'compile', '--', '--watch'], {
    cwd: root,
    detached: process.platform !== 'win32',
    stdin: 'ignore',
    all: true,
    buffer: false,
    reject: false,
    shell: npm.needsShell,
  });
  context.onStop(() => killGroup(compiler.pid, 'SIGTERM'));
  const firstBuild = new Promise<void>((resolve) => {
    createInterface({ input: compiler.all }).on('line', (line) => {
      onLine(line);
      if (/compiled: \d+ file/iu.test(line)) resolve();
    });
  });
  const end = compiler.then(() => {
    const error = new Error('The compiler ended.');
    context.fail(error);
    throw error;
  });
  await Promise.race([firstBuild, end]);
}

async function compile(root: string): Promise<void> {
  const npm = npmCommand();
  const { failed, all } = await execa(npm.program, [...npm.args, 'run', '--silent', 'build'], {
    cwd: root,
    stdin: 'ignore',
    all: true,
    reject: false,
    shell: npm.needsShell,
  });
  if (failed) throw new Error(`npm run build failed:\n${all.trim().split('\n').slice(-20).join('\n')}`);
}

function fingerprintOfSources(root: string): string {
  const hash = createHash('sha256');
  for (const name of SETTINGS) hash.update(describe(root, name));
  for (const folder of [...SOURCE_FOLDERS, BUILDER]) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names) hash.update(describe(root, join(folder, name)));
  }
  return hash.digest('hex');
}

/** @param path relative to the root, so that a copied checkout with its times is current, too */
function describe(root: string, path: string): string {
  // An editor may remove a file between listing and stat.
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  return found?.isFile() === true ? `${path} ${found.size} ${found.mtimeMs}\n` : '';
}

function recordFile(root: string): string {
  return join(root, 'dist', '.sources');
}

function readRecord(root: string): string | null {
  try {
    return readFileSync(recordFile(root), 'utf8').trim();
  } catch {
    return null;
  }
}
