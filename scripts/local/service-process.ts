import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { identifyProcess } from '../bootstrap/process-identity.mjs';

const REMEMBERED_LINES = 40;
const SHOWN_LINES = 8;
const READY_WITHIN_MS = 60_000;
/**
 * As in a container of the image (`Dockerfile`) that may take a gigabyte: a small young generation, and a heap that grows
 * in steps which fit its limit.
 */
export const IMAGE_FLAGS: readonly string[] = ['--max-semi-space-size=8', '--max-old-space-size=512'];
/** As in the image, too: what is freed serves all threads of Node, or goes back to the system. */
export const IMAGE_ENV: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** Compiled modules (`npm run dev`) have maps, bundles have none. */
const SERVICE_FLAGS = [...IMAGE_FLAGS, '--enable-source-maps'];
const PARENT_WATCH = new URL('../bootstrap/exit-with-parent.mjs', import.meta.url).href;

export interface ServiceOptions {
  /** Of its log. */
  readonly name: string;
  /** The folder of its log, made if absent. */
  readonly logs: string;
  /** Path below `root`. */
  readonly entry: string;
  readonly root: string;
  /** The whole environment, but for what the image sets. */
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Of Node, for what is no service of ours. */
  readonly nodeFlags?: readonly string[];
  readonly onLine?: (line: string) => void;
}

/** A service that runs as a child process. */
export interface ServiceProcess {
  readonly name: string;
  /** null: it could not be started. */
  readonly identity: { readonly pid: number; readonly startedAt: string } | null;
  readonly exited: Promise<ServiceEnd>;
  readonly hasExited: () => boolean;
  /** SIGTERM, and SIGKILL for its whole group after the grace. */
  readonly stop: (graceMs: number) => Promise<void>;
}

export interface ServiceEnd {
  readonly code: number;
  /** Why it is gone, in the last lines that it wrote. */
  readonly reason: string;
}

/**
 * Starts `node <entry>` as the leader of a group of its own, so that Ctrl-C in the terminal reaches only the command,
 * which then ends its services in order. Its output goes to a log file, and line by line to `onLine`.
 */
export function startService(options: ServiceOptions): ServiceProcess {
  const { name, entry, root, logs, env, args = [], nodeFlags = SERVICE_FLAGS, onLine } = options;
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(join(logs, `${name}.log`));
  const child = execa(
    process.execPath,
    [...nodeFlags, '--import', PARENT_WATCH, join(root, entry), ...args],
    {
      cwd: root,
      // Modules that an earlier start has compiled are kept, as the image holds those of its build.
      env: { ...IMAGE_ENV, NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...env },
      extendEnv: false,
      detached: process.platform !== 'win32',
      // The channel by which the service notices that the command is gone.
      ipc: true,
      stdin: 'ignore',
      all: true,
      buffer: false,
      reject: false,
      // `stop` kills the whole group.
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
 * @throws {Error} with the last lines of the service when it ends, or with its last answer after a minute
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

/** Signals a child that leads a group, and everything it has started. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // It ended in the same moment.
  }
}

/** `ready`, or why not. */
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

/** The log has the stack; what happened is in the other lines. */
function isMeaningful(line: string): boolean {
  return line.trim() !== '' && !/^\s+at /u.test(line);
}

/** A line of the structured log as its message; any other line as it is. */
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
