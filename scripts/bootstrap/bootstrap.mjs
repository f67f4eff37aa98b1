// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withExclusiveLock } from './exclusive-lock.mjs';
import { installPackages, packagesAreCurrent } from './packages.mjs';

const NEEDED_NODE = 24;
const STARTED_AT = 'CAPSTAN_STARTED_AT';

/** The folder of the repository. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * First step of every command; runs on any Node ≥ 18 without packages. Installs packages that are missing or differ from the
 * lock, then restarts under the Node that npm installed. Resolves only in a process that can import packages and TypeScript.
 * @returns {Promise<{startedAt: number}>} when the command was typed, in milliseconds since 1970
 */
export async function bootstrap() {
  const startedAt = Number(process.env[STARTED_AT] ?? Math.round(performance.timeOrigin));
  delete process.env[STARTED_AT];
  try {
    assertWritable();
    await providePackages();
    const tools = join(ROOT, 'node_modules', '.bin');
    process.env.PATH = `${tools}${delimiter}${process.env.PATH ?? ''}`;
    if (majorVersion() < NEEDED_NODE) await goOnUnderNeededNode(join(tools, 'node'), startedAt);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  return { startedAt };
}

function majorVersion() {
  return Number.parseInt(process.versions.node, 10);
}

/** Fails early with a clear message, before a build or a database would fail half way. */
function assertWritable() {
  const folder = join(ROOT, '.local');
  const trial = join(folder, `trial-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(trial, '');
    rmSync(trial);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Error(
      `Nothing can be written to ${folder} (${code}): build, data and logs are kept there. Make the folder writable, ` +
        `or run the command in a copy that is yours: cp -R ${ROOT} ~/capstan`,
      { cause: error },
    );
  }
}

async function providePackages() {
  if (packagesAreCurrent(ROOT)) return;
  await withExclusiveLock(
    join(ROOT, '.local', 'install.lock'),
    async () => {
      if (packagesAreCurrent(ROOT)) return;
      const started = performance.now();
      say('  … packages   npm ci, as package-lock.json says');
      await installPackages(ROOT);
      say(`  ✓ packages   installed (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
    },
    (holder) => {
      say(`Process ${holder} installs packages here already: waiting for it.`);
    },
  );
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Runs the same command under the required Node, and exits with its exit code.
 * @param {string} node
 * @param {number} startedAt
 * @returns {Promise<never>}
 */
function goOnUnderNeededNode(node, startedAt) {
  if (!existsSync(node)) {
    throw new Error(
      `Node ${NEEDED_NODE} or newer is needed, this is ${process.version}, and npm brings one on Linux only: ` +
        `install it from https://nodejs.org.`,
    );
  }
  return new Promise((_resolve, reject) => {
    const child = spawn(node, process.argv.slice(1), {
      // The channel closes when this process exits, which the child detects.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, [STARTED_AT]: String(startedAt) },
    });
    for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
      process.on(signal, () => child.kill(signal));
    }
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
