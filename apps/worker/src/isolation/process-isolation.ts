import { fileURLToPath } from 'node:url';
import type { LoopSignals } from '#libs/agent-core';
import type { Claim, Isolation, IsolationEnding, IsolationPlace } from '#libs/executions';
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
  /** Resolves when another start may be tried after one that failed. */
  readonly pauseAfterFailure: () => Promise<void>;
}

/**
 * Runs each suspect in a process that holds nothing else, up to a maximum at once. A process is started before a suspect is
 * claimed for it: a worker that dies during the start then takes no attempt with it. Starts are serialized because they
 * need the processor. A process that has run its attempt takes the next suspect, so that many suspects need few starts. One
 * that has ended a process gets a fresh process, so that the last evidence against it is never the fault of another.
 */
export class ProcessIsolation implements Isolation {
  private taken = 0;
  private isClosed = false;
  /** Process that has not started yet, or has failed to start a moment ago. */
  private starting: IsolatedProcess | null = null;
  /** Processes that wait for the next suspect; with the taken places and the starting one at most the maximum. */
  private readonly kept: IsolatedProcess[] = [];

  constructor(
    private readonly options: IsolationOptions,
    private readonly concurrency: number,
  ) {}

  reserve(): IsolationPlace | null {
    let ready = this.takeKept();
    if (!ready) return null;
    this.taken += 1;
    let isHeld = true;
    return {
      run: async (claim: Claim, signals: LoopSignals): Promise<IsolationEnding> => {
        if (!ready || isOver(signals)) return 'broke_off';
        const process = this.processFor(claim, ready);
        ready = null;
        const attempt = new IsolatedAttempt(this.options, process, claim, signals);
        const ending = await attempt.ended();
        if (attempt.leavesProcess) this.keep(process);
        return ending;
      },
      release: () => {
        if (isHeld) this.taken -= 1;
        if (isHeld && ready) this.keep(ready);
        isHeld = false;
      },
    };
  }

  prepare(): void {
    const count = this.taken + this.kept.length;
    if (this.isClosed || this.starting || count >= this.concurrency) return;
    const process = new IsolatedProcess(this.options.program, this.options.heapMb);
    this.starting = process;
    void this.keepStarted(process);
  }

  /** Ends the processes that wait for a suspect, and keeps no other. */
  close(): void {
    this.isClosed = true;
    this.starting?.kill();
    for (let process = this.takeKept(); process !== null; process = this.takeKept()) process.kill();
  }

  private async keepStarted(process: IsolatedProcess): Promise<void> {
    const hasStarted = await process.ready;
    if (hasStarted) this.keep(process);
    else await this.options.pauseAfterFailure();
    this.starting = null;
  }

  private processFor(claim: Claim, ready: IsolatedProcess): IsolatedProcess {
    if (ready.isAlive && !(claim.needsFreshProcess && ready.hasRun)) return ready;
    ready.kill();
    return new IsolatedProcess(this.options.program, this.options.heapMb);
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
}

/** True if another worker may claim the execution or this worker drains. A cancelled execution still has to be settled. */
function isOver({ abort, drain }: LoopSignals): boolean {
  return drain.aborted || (abort.aborted && isLeaseLost(abort));
}
