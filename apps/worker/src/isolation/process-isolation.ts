import { fileURLToPath } from 'node:url';
import type { LoopSignals } from '#libs/agent-core';
import {
  ExecutionSlots,
  type Claim,
  type Isolation,
  type IsolationEnding,
  type IsolationPlace,
} from '#libs/executions';
import { IsolatedAttempt, isLeaseLost, type AttemptOptions } from './isolated-attempt.js';
import { IsolatedProcess } from './isolated-process.js';

/** Path of the program that runs suspects. */
export const ISOLATED = fileURLToPath(new URL('./isolated.js', import.meta.url));

export interface IsolationOptions extends AttemptOptions {
  /** Path of the program. */
  readonly program: string;
  readonly heapMb: number;
  /** Milliseconds that a process waits for the next suspect before it is ended. */
  readonly keptForMs: number;
}

/**
 * Runs each suspect in a process that holds nothing else, up to a maximum at once. Starts are serialized because they need
 * the processor: in parallel none would be ready before all are, and a worker that dies in between would have started all
 * in vain. A process that has run its attempt takes the next suspect, so that many suspects need few starts. One that has
 * ended a process gets a fresh process, so that the last evidence against it is never the fault of another.
 */
export class ProcessIsolation implements Isolation {
  private taken = 0;
  private isClosed = false;
  /** Processes that wait for the next suspect; together with the taken places at most as many as the maximum. */
  private readonly kept: IsolatedProcess[] = [];
  private readonly starts = new ExecutionSlots(1);

  constructor(
    private readonly options: IsolationOptions,
    private readonly concurrency: number,
  ) {}

  /** Reserves no place without a process during a start: suspects stay unclaimed and are not lost with this worker. */
  reserve(): IsolationPlace | null {
    let ready = this.takeKept();
    if (!ready && (this.taken >= this.concurrency || this.starts.areTaken)) return null;
    this.taken += 1;
    let isHeld = true;
    return {
      isReady: ready !== null,
      run: async (claim: Claim, signals: LoopSignals): Promise<IsolationEnding> => {
        if (isOver(signals)) return 'broke_off';
        const own = ready;
        ready = null;
        return this.run(own, claim, signals);
      },
      release: () => {
        if (isHeld) this.taken -= 1;
        if (isHeld && ready) this.keep(ready);
        isHeld = false;
      },
    };
  }

  /** Ends the processes that wait for a suspect, and keeps no other. */
  close(): void {
    this.isClosed = true;
    for (let process = this.takeKept(); process !== null; process = this.takeKept()) process.kill();
  }

  private async run(
    ready: IsolatedProcess | null,
    claim: Claim,
    signals: LoopSignals,
  ): Promise<IsolationEnding> {
    const askedAt = this.options.clock.monotonic();
    const begin = async (process: IsolatedProcess, onStarted: (() => void) | null) => {
      const attempt = new IsolatedAttempt(this.options, process, claim, signals, askedAt);
      const ending = await attempt.ended(onStarted);
      if (attempt.leavesProcess) this.keep(process);
      return ending;
    };
    if (ready?.isAlive === true && !claim.needsFreshProcess) return begin(ready, null);
    ready?.kill();
    const onStarted = await this.takeTurn(signals);
    if (onStarted === null) return 'broke_off';
    return begin(new IsolatedProcess(this.options.program, this.options.heapMb), onStarted);
  }

  private keep(process: IsolatedProcess): void {
    process.killAfter(this.isClosed ? 0 : this.options.keptForMs);
    if (!this.isClosed) this.kept.push(process);
  }

  /** A process that has not ended since, and that no timer will end. */
  private takeKept(): IsolatedProcess | null {
    for (let process = this.kept.pop(); process; process = this.kept.pop())
      if (process.takeBack()) return process;
    return null;
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
