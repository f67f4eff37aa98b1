// @ts-check
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether `node_modules` matches `package-lock.json`. Compares contents, not times, since a checkout touches unchanged
 * files.
 * @param {string} root
 * @returns {boolean}
 */
export function packagesAreCurrent(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null || installed === null) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, devOptional }]) => {
    if (path === '') return true;
    const found = installed[path];
    // Optional packages for other platforms are not installed.
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/**
 * Runs `npm ci`.
 * @param {string} root
 * @returns {Promise<void>}
 * @throws {Error} with the last lines that npm wrote
 */
export function installPackages(root) {
  const npm = npmCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(npm.program, [...npm.args, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: npm.needsShell,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output = (output + text).slice(-8_000);
      });
    }
    child.once('error', (cause) => {
      reject(new Error(`npm cannot be started: ${cause.message}`, { cause }));
    });
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed:\n${output.trim().split('\n').slice(-12).join('\n')}`));
    });
  });
}

/** @returns {{program: string, args: string[], needsShell: boolean}} */
export function npmCommand() {
  // Prefers the npm that started this script, since it certainly exists.
  const cli = process.env.npm_execpath;
  if (cli !== undefined && /\.c?js$/u.test(cli))
    return { program: process.execPath, args: [cli], needsShell: false };
  return { program: 'npm', args: [], needsShell: process.platform === 'win32' };
}

/**
 * @param {string} lockFile
 * @returns {Record<string, {version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}> | null}
 */
function readPackages(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}
