import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { WatchedLimits } from './watch-process.js';

export interface ProcessLimits {
  /** Milliseconds from its start, or from `restartClock`, to its end. */
  readonly timeoutMs: number;
  /** Maximum resident memory in bytes; the process checks it itself by `watchProcess`. */
  readonly mostRssBytes: number;
}

/**
 * A program that reads untrusted data in a separate process without access to this one's environment variables, files
 * and connections. The process group is killed on timeout, beyond the memory limit, and by `end`.
 */
export class BoundedProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Exit code once the process has ended and its output is read; null if it was killed or failed to start. */
  readonly exitCode: Promise<number | null>;
  /** True if the process was killed from outside or failed to start: a retry may succeed. */
  readonly isLost: Promise<boolean>;
  private readonly child: ChildProcess;
  private timer: NodeJS.Timeout;
  private timeIsUp = false;
  private isEnded = false;

  /**
   * @param program path of the program
   * @param order JSON argument of the program, beside the limits
   * @param flags additional flags for Node
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
    // Processes that the program has started end with it.
    this.child.once('exit', () => {
      this.killGroup();
    });
    this.timer = this.startClock();
  }

  /** Restarts the timeout, so that waiting for input does not count. */
  restartClock(): void {
    if (this.timeIsUp) return;
    clearTimeout(this.timer);
    this.timer = this.startClock();
  }

  /** True if the process was killed on timeout. */
  get isTimeUp(): boolean {
    return this.timeIsUp;
  }

  /** Kills the process; its result is no longer needed. */
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
    this.killGroup();
  }

  private killGroup(): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
  }
}

/** Signals of users, service managers and the kernel's out-of-memory killer; the memory watch uses another one. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | null> = new Set([
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
]);
