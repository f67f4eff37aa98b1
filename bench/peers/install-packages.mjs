// @ts-check
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

const PROGRAMS = join(import.meta.dirname, 'programs');
/** Written beside the packages once all are installed. */
const MANIFEST = 'installed.json';

/**
 * Installs the packages of one system into its own folder, with this repository's programs beside them. Packages of an
 * earlier run are reused.
 * @param {object} install
 * @param {import('./peer-system.mjs').PeerSystem} install.system
 * @param {string} install.folder
 * @param {AbortSignal} install.signal
 * @returns {Promise<string | null>} why it cannot be installed, in one line; null when it is
 */
export async function installPackages({ system, folder, signal }) {
  mkdirSync(folder, { recursive: true });
  cpSync(PROGRAMS, folder, { recursive: true });
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: system.packages });
  const installed = join(folder, MANIFEST);
  if (existsSync(installed) && readFileSync(installed, 'utf8') === manifest) return null;
  writeFileSync(join(folder, 'package.json'), manifest);
  // Package scripts are skipped: none of these packages needs one.
  const { failed, all } = await execa(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, all: true, reject: false, cancelSignal: signal },
  );
  signal.throwIfAborted();
  if (failed) return `npm install failed: ${lastLine(all)}`;
  writeFileSync(installed, manifest);
  return null;
}

/** @param {string | undefined} output */
function lastLine(output = '') {
  const lines = output
    .split('\n')
    .filter((line) => line.includes('npm error') && !line.includes('log of this run'));
  return lines.at(0)?.replace('npm error', '').trim() ?? 'npm could not be started';
}
