import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reservePort } from './reserve-port.ts';
import {
  identifyProcess,
  isStillRunning,
  type ProcessIdentity,
} from '../../../scripts/bootstrap/process-identity.mjs';

const START_LIMIT_MS = 60_000;
const IDENTITY_FILE = 'redis.json';

/** True if this machine has a `redis-server` program. */
export function isRedisInstalled(): boolean {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Starts a Redis below `folder` that stores nothing on disk; returns its URL once it answers PING. */
export async function startRedisServer(folder: string): Promise<string> {
  const directory = join(folder, 'redis');
  mkdirSync(directory);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await launch(directory, await reservePort());
    } catch (error) {
      // Another program may take the port between its reservation and the start.
      if (attempt === 3) throw error;
    }
  }
}

/** Stops the Redis that any process has started below `folder`; does nothing if none runs. */
export async function stopRedisServer(folder: string): Promise<void> {
  const server = readIdentity(join(folder, 'redis', IDENTITY_FILE));
  if (server === null) return;
  const limit = Date.now() + 5_000;
  while (isStillRunning(server)) {
    signal(server.pid, Date.now() < limit ? 'SIGTERM' : 'SIGKILL');
    await delay(20);
  }
}

function readIdentity(file: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    return null;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process ended just before the signal.
  }
}

async function launch(directory: string, port: number): Promise<string> {
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
    // The loop below notices a server that did not start.
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

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const answer = (answered: boolean): void => {
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
