import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { WatchedLimits } from './watch-process.js';

export interface ProcessLimits {
  /** Maximum duration in milliseconds, from its start or the latest `restartClock`. */
  readonly timeoutMs: number;
  /** Maximum resident memory in bytes, which the process checks itself by `watchProcess`. */
  readonly mostRssBytes: number;
}

/**
 * Isolated program of this service that parses untrusted input: it gets no environment variables, files or connections of
 * this process. Its process group is killed when it exceeds its time or memory, and by `end`.
 */
export class BoundedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Exit code, once the process has ended and its output was read; null if it was killed or never started. */
  readonly exitCode: Promise<number | null>;
  /** True if it was killed from outside, or the system had no resources for it: a retry may succeed. */
  readonly isLost: Promise<boolean>;
  private readonly child: ChildProcess;
  private timer: NodeJS.Timeout;
  private timeIsUp = false;
  private isEnded = false;

  /**
   * @param program path of its file
   * @param order its input, passed as JSON in its only argument together with its limits
   * @param flags Node flags beside those for its limits
   */
  constructor(
    program: string,
    order: object,
    private readonly limits: ProcessLimits,
    flags: readonly string[] = [],
  ) {
    const { mostRssBytes } = limits;
    const watched: WatchedLimits = { mostRssBytes, parentPid: process.pid };
    const heapMb = Math.floor(mostRssBytes / 2 ** 20);
    const bounds = [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'];
    const args = [...bounds, ...flags, program, JSON.stringify({ ...order, ...watched })];
    this.child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      detached: true,
    });
    const { stdin, stdout } = this.child;
    if (stdin === null || stdout === null) throw new Error('a process without pipes');
    this.stdin = stdin;
    this.stdout = stdout;
    this.exitCode = new Promise((resolve) => {
      this.child.once('close', resolve);
      this.child.once('error', () => resolve(null));
    });
    this.isLost = new Promise((resolve) => {
      this.child.once('exit', (_code, signal) => resolve(!this.isEnded && FROM_OUTSIDE.has(signal)));
      this.child.once('error', () => resolve(true));
    });
    this.timer = this.startClock();
  }

  /** Restarts the time limit, e.g. because time spent waiting for input does not count. */
  restartClock(): void {
    if (this.timeIsUp) return;
    clearTimeout(this.timer);
    this.timer = this.startClock();
  }

  /** True if it was killed for exceeding its time. */
  get isTimeUp(): boolean {
    return this.timeIsUp;
  }

  /** Kills the process. */
  end(): void {
    clearTimeout(this.timer);
    this.kill();
  }

  private startClock(): NodeJS.Timeout {
    return setTimeout(() => {
      this.timeIsUp = true;
      this.kill();
    }, this.limits.timeoutMs);
  }

  private kill(): void {
    const { pid } = this.child;
    if (pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.isEnded = true;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process has just ended by itself.
    }
  }
}

/** Signals that people, service managers or a system short of memory send; the process ends itself by another one. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | null> = new Set([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
]);
