import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoopSignals, StopReason } from '#libs/agent-core';
import {
  ExecutionSlots,
  type Claim,
  type ExecutionMeter,
  type Isolation,
  type IsolationEnding,
  type IsolationPlace,
} from '#libs/executions';
import type { MonotonicClock } from '#libs/kernel';
import { endingOf, leaseKeptEveryMs, type ToChild, type ToParent } from './isolation-protocol.js';

/** Path of the program that runs a suspect. */
export const ISOLATED = fileURLToPath(new URL('./isolated.js', import.meta.url));

/**
 * Runs each suspect in its own process, up to a maximum at once. Starts are serialized because they need the processor:
 * in parallel none would be ready before all are, and a worker that dies in between would have started all in vain.
 */
export class ProcessIsolation implements Isolation {
  private taken = 0;
  private readonly starts = new ExecutionSlots(1);

  constructor(
    private readonly options: ChildOptions,
    private readonly concurrency: number,
  ) {}

  /** Reserves no place during a start, so that suspects stay unclaimed and are not lost with this worker. */
  reserve(): IsolationPlace | null {
    if (this.taken >= this.concurrency || this.starts.areTaken) return null;
    this.taken += 1;
    let isHeld = true;
    return {
      run: (claim: Claim, signals: LoopSignals): Promise<IsolationEnding> => this.run(claim, signals),
      release: () => {
        if (isHeld) this.taken -= 1;
        isHeld = false;
      },
    };
  }

  private async run(claim: Claim, signals: LoopSignals): Promise<IsolationEnding> {
    const askedAt = this.options.clock.monotonic();
    const onStarted = await this.takeTurn(signals);
    if (onStarted === null) return 'broke_off';
    return new IsolatedChild(this.options, claim, signals, askedAt, onStarted).ended();
  }

  /** Returns the function that ends the turn; null if no process may start any more. */
  private async takeTurn(signals: LoopSignals): Promise<(() => void) | null> {
    const wait = new AbortController();
    const giveUp = (): void => {
      if (isOver(signals)) wait.abort();
    };
    for (const signal of [signals.abort, signals.drain])
      signal.addEventListener('abort', giveUp, { signal: wait.signal });
    giveUp();
    while (this.starts.areTaken && !wait.signal.aborted) await this.starts.untilFree(wait.signal);
    // Removes the listeners.
    wait.abort();
    return isOver(signals) ? null : this.starts.take();
  }
}

/** True if another worker may claim the execution or this worker drains. A cancelled execution still has to be settled. */
function isOver({ abort, drain }: LoopSignals): boolean {
  return drain.aborted || (abort.aborted && isLeaseLost(abort));
}

function isLeaseLost({ reason }: AbortSignal): boolean {
  return reason === ('lease_lost' satisfies StopReason);
}

export interface ChildOptions {
  /** Path of the program. */
  readonly program: string;
  readonly heapMb: number;
  readonly leaseMs: number;
  /** Milliseconds after which a hanging process ends itself; it is killed after three times as long. */
  readonly hangLimitMs: number;
  readonly clock: MonotonicClock;
  /** Meter of this process; it records the child's metrics. */
  readonly meter: ExecutionMeter;
}

/**
 * Flags for the child's heap: its maximum, and this process's size of the young generation. No other flags are inherited.
 */
export function flagsOfChild(ownFlags: readonly string[], heapMb: number): string[] {
  const young = ownFlags.filter((flag) => flag.startsWith('--max-semi-space-size='));
  return [...young, `--max-old-space-size=${heapMb}`];
}

/** Maximum time of a program's start, in milliseconds. */
const START_LIMIT_MS = 60_000;

/** One process that runs one attempt, seen from the worker that started it. */
class IsolatedChild {
  private readonly child: ChildProcess;
  private readonly cleanups: (() => void)[] = [];
  private hasBegun = false;
  private isDone = false;
  private wasStopped = false;
  private killTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: ChildOptions,
    private readonly claim: Claim,
    private readonly signals: LoopSignals,
    /** Time of the request, by the clock of the options. */
    private readonly askedAt: number,
    /** Called once, when the process has started or has failed to start. */
    private readonly onStarted: () => void,
  ) {
    this.child = fork(options.program, [], {
      execArgv: flagsOfChild(process.execArgv, options.heapMb),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<IsolationEnding> {
    this.child.on('message', (message: ToParent) => this.hear(message));
    // A failed start or message needs no handling here: the end of the process follows.
    const ended = new Promise<NodeJS.Signals | null>((resolve) => {
      this.child.once('exit', (_code, signal) => resolve(signal));
      this.child.on('error', () => {
        if (this.child.pid === undefined) resolve(null);
      });
    });
    this.killAfter(START_LIMIT_MS);
    this.follow(this.signals.drain, () => this.say({ kind: 'drain' }));
    this.follow(this.signals.abort, () => this.stop(this.signals.abort.reason as StopReason));
    const beat = setInterval(() => this.keepLease(), leaseKeptEveryMs(this.options.leaseMs));
    const signal = await ended;
    if (!this.hasBegun) this.onStarted();
    clearInterval(beat);
    clearTimeout(this.killTimer);
    for (const cleanUp of this.cleanups) cleanUp();
    const { isDone, hasBegun, wasStopped } = this;
    return endingOf({ isDone, hasBegun, wasStopped, isDraining: this.signals.drain.aborted, signal });
  }

  private hear(message: ToParent): void {
    if (message.kind === 'measured') {
      this.options.meter.record(message.measurement);
      return;
    }
    if (message.kind === 'done') {
      this.isDone = true;
      this.killAfter(this.options.hangLimitMs);
      return;
    }
    if (this.wasStopped) return;
    this.hasBegun = true;
    this.onStarted();
    const elapsedMs = this.options.clock.monotonic() - this.askedAt;
    const remainingMs = this.claim.remainingMs - elapsedMs;
    // The child counts on from this time with its own clock.
    const claimedAtMs = this.claim.claimedAtMs + elapsedMs;
    const isCancelled = this.claim.isCancelled || this.signals.abort.aborted;
    this.say({ kind: 'run', claim: { ...this.claim, remainingMs, claimedAtMs, isCancelled } });
    if (this.signals.drain.aborted) this.say({ kind: 'drain' });
    // A hanging child ends itself; this kills one that cannot, long after its deadline.
    this.killAfter(Math.max(0, remainingMs) + 3 * this.options.hangLimitMs);
  }

  private stop(reason: StopReason): void {
    // After a lost lease the end of the child is no evidence against the execution.
    if (reason === 'lease_lost') {
      this.wasStopped = true;
      this.killAfter(this.hasBegun ? this.options.hangLimitMs : 0);
    }
    if (this.hasBegun) this.say({ kind: 'stop', reason });
  }

  private keepLease(): void {
    if (!this.signals.abort.aborted || !isLeaseLost(this.signals.abort)) this.say({ kind: 'lease_kept' });
  }

  private killAfter(ms: number): void {
    clearTimeout(this.killTimer);
    this.killTimer = setTimeout(() => this.child.kill('SIGKILL'), Math.min(ms, MAX_TIMER_MS));
  }

  private say(message: ToChild): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private follow(signal: AbortSignal, react: () => void): void {
    if (signal.aborted) {
      react();
      return;
    }
    signal.addEventListener('abort', react, { once: true });
    this.cleanups.push(() => {
      signal.removeEventListener('abort', react);
    });
  }
}

const MAX_TIMER_MS = 2 ** 31 - 1;
