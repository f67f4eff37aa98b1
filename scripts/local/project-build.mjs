import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withExclusiveLock } from './exclusive-lock.mjs';
import { npmCommand } from './packages.mjs';

const SOURCE_FOLDERS = ['apps', 'libs'];
const SETTINGS = ['package.json', '.swcrc'];

/**
 * Whether `dist` was built from the sources as they are: names, sizes and times of all of them are compared, so a
 * removed file counts as a change too.
 * @param {string} root
 */
export function buildIsCurrent(root) {
  const dist = SOURCE_FOLDERS.every((folder) => existsSync(join(root, 'dist', folder)));
  return dist && readRecord(root) === fingerprintOfSources(root);
}

/**
 * Builds `dist` with the npm script `build`, unless another command has done it meanwhile. Nothing is removed before:
 * services may run from there.
 * @param {string} root
 * @returns {Promise<void>}
 * @throws {Error} with what the compiler wrote
 */
export async function build(root) {
  await withExclusiveLock(join(root, '.local', 'build.lock'), async () => {
    if (buildIsCurrent(root)) return;
    const fingerprint = fingerprintOfSources(root);
    await compile(root);
    writeFileSync(recordFile(root), `${fingerprint}\n`);
  });
}

/** @param {string} root */
async function compile(root) {
  const npm = npmCommand();
  const child = spawn(npm.program, [...npm.args, 'run', '--silent', 'build'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: npm.needsShell,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
  }
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    const words = output.trim().split('\n').slice(-20).join('\n');
    throw new Error(`npm run build failed:\n${words}`);
  }
}

/** @param {string} root */
function fingerprintOfSources(root) {
  const hash = createHash('sha256');
  for (const name of SETTINGS) hash.update(describe(join(root, name)));
  for (const folder of SOURCE_FOLDERS) {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort();
    for (const name of names) hash.update(describe(join(root, folder, name)));
  }
  return hash.digest('hex');
}

/** @param {string} path */
function describe(path) {
  // An editor may remove a file between the listing and the look.
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? `${path} ${found.size} ${found.mtimeMs}\n` : '';
}

/** @param {string} root */
function recordFile(root) {
  return join(root, 'dist', '.sources');
}

/** @param {string} root */
function readRecord(root) {
  try {
    return readFileSync(recordFile(root), 'utf8').trim();
  } catch {
    return null;
  }
}
