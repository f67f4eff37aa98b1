import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { identifyProcess } from './process-identity.mjs';

const REMEMBERED_LINES = 40;
const PARENT_WATCH = new URL('exit-with-parent.mjs', import.meta.url).href;

/**
 * A service that runs as a child process.
 * @typedef {object} ServiceProcess
 * @property {string} name
 * @property {import('./process-identity.mjs').ProcessIdentity | null} identity
 * @property {Promise<{code: number | null, signal: string | null}>} exited
 * @property {() => boolean} hasExited
 * @property {(count: number) => string[]} lastLines what it wrote last, to either output
 * @property {(graceMs: number) => Promise<void>} stop SIGTERM, and SIGKILL for its whole group after the grace
 */

/**
 * Starts `node <entry>` as the leader of a group of its own, so that Ctrl-C in the terminal reaches only the command,
 * which then ends its services in order. Its output goes to a log file, and line by line to `onLine`.
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.entry path below `root`
 * @param {string} options.root
 * @param {Record<string, string>} options.env the whole environment
 * @param {readonly string[]} [options.args]
 * @param {(line: string) => void} [options.onLine]
 * @returns {ServiceProcess}
 */
export function startService({ name, entry, root, env, args = [], onLine = () => {} }) {
  const logFile = join(root, '.local', 'logs', `${name}.log`);
  mkdirSync(dirname(logFile), { recursive: true });
  const log = createWriteStream(logFile);
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--import', PARENT_WATCH, join(root, entry), ...args],
    {
      cwd: root,
      env,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );

  /** @type {string[]} */
  const remembered = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      remembered.push(line);
      if (remembered.length > REMEMBERED_LINES) remembered.shift();
      log.write(`${line}\n`);
      onLine(line);
    });
  }

  let isOver = false;
  /** @type {Promise<{code: number | null, signal: string | null}>} */
  const exited = new Promise((resolve) => {
    const end = (/** @type {number | null} */ code, /** @type {string | null} */ signal) => {
      isOver = true;
      log.end();
      resolve({ code, signal });
    };
    child.once('error', (error) => {
      remembered.push(error.message);
      end(1, null);
    });
    // 'close' comes after 'exit' and after the last line of output.
    child.once('close', end);
  });

  return {
    name,
    identity: child.pid === undefined ? null : identifyProcess(child.pid),
    exited,
    hasExited: () => isOver,
    lastLines: (count) => remembered.slice(-count),
    stop: async (graceMs) => {
      if (isOver) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => {
        killGroup(child, 'SIGKILL');
      }, graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * Signals a child that leads a group, and everything it has started.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
export function killGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal);
  } catch {
    // It ended in the same moment.
  }
}
