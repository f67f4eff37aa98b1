import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { anyFreePort } from '../../../scripts/local/ports.mjs';
import { identifyProcess, isStillRunning } from '../../../scripts/local/process-identity.mjs';

const START_LIMIT_MS = 10_000;
const IDENTITY_FILE = 'redis.json';

export function isRedisInstalled() {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** @param {string} folder */
export async function startRedisServer(folder) {
  const directory = join(folder, 'redis');
  mkdirSync(directory);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(directory, await anyFreePort());
    } catch (error) {
      // The port may be lost to somebody else between the look and the start.
      if (attempt === 3) throw error;
    }
  }
}

/** @param {string} folder */
export async function stopRedisServer(folder) {
  const server = readIdentity(join(folder, 'redis', IDENTITY_FILE));
  if (server === null) return;
  const limit = Date.now() + 5_000;
  while (isStillRunning(server)) {
    signal(server.pid, Date.now() < limit ? 'SIGTERM' : 'SIGKILL');
    await delay(20);
  }
}

/** @param {string} file @returns {{pid: number, startedAt: string} | null} */
function readIdentity(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the look and the signal.
  }
}

/** @param {string} directory @param {number} port @returns {Promise<string>} */
async function launch(directory, port) {
  const log = join(directory, 'redis.log');
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    logfile: log,
    databases: '1024',
    save: '',
    appendonly: 'no',
    'maxmemory-policy': 'noeviction',
  };
  const server = spawn(
    'redis-server',
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: 'ignore', detached: true },
  );
  server.on('error', () => {
    // Seen below as a server that is not there.
  });
  server.unref();
  const identity = identifyProcess(server.pid ?? 0);
  writeFileSync(join(directory, IDENTITY_FILE), JSON.stringify(identity));

  const limit = Date.now() + START_LIMIT_MS;
  while (!(await answersPing(port))) {
    if (identity === null || !isStillRunning(identity) || Date.now() > limit) {
      throw new Error(
        `redis-server did not start: ${readFileSync(log, 'utf8').trim().split('\n').slice(-3).join(' ')}`,
      );
    }
    await delay(10);
  }
  return `redis://127.0.0.1:${port}`;
}

/** @param {number} port @returns {Promise<boolean>} */
function answersPing(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const answer = (/** @type {boolean} */ answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('data', (data) => {
      answer(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => {
      answer(false);
    });
    socket.setTimeout(1_000, () => {
      answer(false);
    });
  });
}
