import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { WatchedLimits } from './watch-process.js';

export interface ProcessLimits {
  /** From its start to its end, or from `restartClock` on. */
  readonly timeoutMs: number;
  /** Of all memory that the process has; it watches that itself, by `watchProcess`. */
  readonly mostRssBytes: number;
}

/**
 * A program of ours that reads what somebody else has made: it has nothing of this process, no variables, no files, no
 * connections. It is ended with its whole group when it takes too long, when it takes too much memory, and by `end`.
 */
export class BoundedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Its exit code when it has ended and all that it wrote was read; null where it was ended or never began. */
  readonly exitCode: Promise<number | null>;
  /** Whether somebody else has ended it, or the system had no room for it: the same may succeed later. */
  readonly isLost: Promise<boolean>;
  private readonly child: ChildProcess;
  private timer: NodeJS.Timeout;
  private timeIsUp = false;
  private isEnded = false;

  /**
   * @param program its file
   * @param order what it is started with, as JSON in its one argument, beside its limits
   * @param flags of Node, beside those that bound it
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

  /** It has its whole time from now on: what it was given came from elsewhere, and that is no time of its own. */
  restartClock(): void {
    if (this.timeIsUp) return;
    clearTimeout(this.timer);
    this.timer = this.startClock();
  }

  /** Whether it was ended for taking too long. */
  get isTimeUp(): boolean {
    return this.timeIsUp;
  }

  /** Nobody waits for it any more. */
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
      // It has just ended by itself.
    }
  }
}

/** How a person, a service manager or a system that is short of memory ends a process; it ends itself by another signal. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | null> = new Set([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
]);
