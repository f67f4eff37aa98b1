import { fork, type ChildProcess } from 'node:child_process';
import type { ToChild, ToParent } from './isolation-protocol.js';

/**
 * Flags for the child's heap: its maximum, and this process's size of the young generation. No other flags are inherited.
 */
export function flagsOfChild(ownFlags: readonly string[], heapMb: number): string[] {
  const young = ownFlags.filter((flag) => flag.startsWith('--max-semi-space-size='));
  return [...young, `--max-old-space-size=${heapMb}`];
}

/** Maximum time of a program's start, in milliseconds. */
const START_LIMIT_MS = 60_000;

/** Child process for suspects. It runs one attempt at a time, and the next one only if it said that it can. */
export class IsolatedProcess {
  /** Resolves with true when the program can run an attempt; with false if it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves with the signal that ended the process; null if it exited by itself or never existed. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** True once it was given an attempt. */
  hasRun = false;
  private isOver = false;
  private readonly child: ChildProcess;
  private listener: (message: ToParent) => void = () => undefined;
  private killTimer: NodeJS.Timeout | undefined;

  /** @param program path of the program */
  constructor(program: string, heapMb: number) {
    this.child = fork(program, [], {
      execArgv: flagsOfChild(process.execArgv, heapMb),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    // A failed start or message needs no handling here: the end of the process follows.
    this.ended = new Promise<NodeJS.Signals | null>((resolve) => {
      this.child.once('exit', (_code, signal) => resolve(signal));
      this.child.on('error', () => {
        if (this.child.pid === undefined) resolve(null);
      });
    }).finally(() => {
      this.isOver = true;
      clearTimeout(this.killTimer);
    });
    const started = new Promise<true>((resolve) => {
      this.child.on('message', (message: ToParent) => {
        if (message.kind === 'ready') resolve(true);
        else this.listener(message);
      });
    });
    this.ready = Promise.race([started, this.ended.then(() => false)]);
    this.killAfter(START_LIMIT_MS);
  }

  /** False once the process has ended or was killed. */
  get isAlive(): boolean {
    return !this.isOver && !this.child.killed;
  }

  /** Only one listener at a time: that of the attempt. */
  listen(listener: (message: ToParent) => void): void {
    this.listener = listener;
  }

  say(message: ToChild): void {
    if (message.kind === 'run') this.hasRun = true;
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  /** Kills the process after `ms` milliseconds, unless this or `takeBack` is called before. */
  killAfter(ms: number): void {
    clearTimeout(this.killTimer);
    if (this.isAlive) this.killTimer = setTimeout(() => this.kill(), Math.min(ms, MAX_TIMER_MS));
  }

  /** Takes the last `killAfter` back; false if the process has ended or was killed. */
  takeBack(): boolean {
    clearTimeout(this.killTimer);
    return this.isAlive;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;
