import { createWriteStream, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { identifyProcess } from '../bootstrap/process-identity.mjs';

const REMEMBERED_LINES = 40;
const SHOWN_LINES = 8;
const READY_WITHIN_MS = 60_000;
/** As in a container of the image (`Dockerfile`) with 1 GiB: its young generation, and heap steps that fit the limit. */
export const IMAGE_FLAGS: readonly string[] = ['--max-semi-space-size=16', '--max-old-space-size=512'];
/** As in the image: freed memory serves all threads of Node, or returns to the system. */
export const IMAGE_ENV: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** Compiled modules (`npm run dev`) have source maps, bundles have none. */
const SERVICE_FLAGS = [...IMAGE_FLAGS, '--enable-source-maps'];
const PARENT_WATCH = new URL('../bootstrap/exit-with-parent.mjs', import.meta.url).href;

export interface ServiceOptions {
  /** Name of the service and of its log file. */
  readonly name: string;
  /** Folder of the log, created if missing. */
  readonly logs: string;
  /** Path below `root`, or an absolute one. */
  readonly entry: string;
  /** Working directory. */
  readonly root: string;
  /** The whole environment, except the variables of the image. */
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Flags of Node, for a program that is no service of this repository. */
  readonly nodeFlags?: readonly string[];
  readonly onLine?: (line: string) => void;
}

/** A service running as a child process. */
export interface ServiceProcess {
  readonly name: string;
  /** Null when the service could not be started. */
  readonly identity: { readonly pid: number; readonly startedAt: string } | null;
  readonly exited: Promise<ServiceEnd>;
  readonly hasExited: () => boolean;
  /** Sends SIGTERM, and after the grace period SIGKILL to the whole process group. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export interface ServiceEnd {
  readonly code: number;
  /** Reason for the end, with the last lines of output. */
  readonly reason: string;
}

/**
 * Starts `node <entry>` as the leader of its own process group, so that Ctrl-C reaches only the command, which then stops
 * its services in order. Output goes to a log file, and line by line to `onLine`.
 */
export function startService(options: ServiceOptions): ServiceProcess {
  const { name, entry, root, logs, env, args = [], nodeFlags = SERVICE_FLAGS, onLine } = options;
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(join(logs, `${name}.log`));
  const child = execa(
    process.execPath,
    [...nodeFlags, '--import', PARENT_WATCH, resolve(root, entry), ...args],
    {
      cwd: root,
      // Caches compiled code between starts, as the image does.
      env: { ...IMAGE_ENV, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...env },
      extendEnv: false,
      detached: process.platform !== 'win32',
      // The service detects by this channel that the command has exited.
      ipc: true,
      stdin: 'ignore',
      all: true,
      buffer: false,
      reject: false,
      // `stop` kills the whole group itself.
      forceKillAfterDelay: false,
    },
  );

  const lastLines: string[] = [];
  createInterface({ input: child.all, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > REMEMBERED_LINES) lastLines.shift();
    log.write(`${line}\n`);
    onLine?.(line);
  });

  let hasExited = false;
  const exited = child.then(({ exitCode, signal, originalMessage }): ServiceEnd => {
    hasExited = true;
    log.end();
    if (exitCode === undefined && signal === undefined) lastLines.push(originalMessage ?? '');
    const how = signal === undefined ? `exit code ${exitCode ?? 1}` : `signal ${signal}`;
    return { code: exitCode ?? 1, reason: describeEnd(name, how, lastLines) };
  });

  return {
    name,
    identity: child.pid === undefined ? null : identifyProcess(child.pid),
    exited,
    hasExited: () => hasExited,
    stop: async (graceMs) => {
      if (hasExited) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => killGroup(child.pid, 'SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

/**
 * Waits until a service answers 2xx.
 * @throws {Error} with the last lines of the service when it exits, or with its last answer after 60 s
 */
export async function waitUntilReady(options: {
  url: string;
  service: ServiceProcess;
  signal: AbortSignal;
}): Promise<void> {
  const { url, service, signal } = options;
  const limit = Date.now() + READY_WITHIN_MS;
  for (;;) {
    signal.throwIfAborted();
    if (service.hasExited()) throw new Error((await service.exited).reason);
    const answer = await ask(url);
    if (answer === 'ready') return;
    if (Date.now() > limit) {
      const seconds = READY_WITHIN_MS / 1_000;
      throw new Error(`${service.name} was not ready after ${seconds} s. ${url} answers: ${answer}`);
    }
    await delay(50);
  }
}

/** Signals the process group that a child leads. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The process has just exited.
  }
}

/** `ready`, or the reason why not. */
async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.ok ? 'ready' : `${response.status} ${body.slice(0, 300)}`;
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

function describeEnd(name: string, how: string, lines: readonly string[]): string {
  const meaningful = lines.map(readable).filter(isMeaningful).slice(-SHOWN_LINES);
  return `${name} ended (${how})${meaningful.length === 0 ? '.' : `:\n  ${meaningful.join('\n  ')}`}`;
}

/** Skips blank lines and stack frames, which the log keeps. */
function isMeaningful(line: string): boolean {
  return line.trim() !== '' && !/^\s+at /u.test(line);
}

/** The message of a structured log line; other lines unchanged. */
function readable(line: string): string {
  try {
    const entry = JSON.parse(line) as {
      msg?: unknown;
      err?: { message?: unknown };
      error?: { message?: unknown };
    };
    const parts = [entry.msg, entry.err?.message ?? entry.error?.message];
    return parts.filter((part) => typeof part === 'string' && part !== '').join(': ') || line;
  } catch {
    return line;
  }
}
