import type { LoopSignals, StopReason } from '#libs/agent-core';
import {
  LeaseHolder,
  runAttempt,
  type AttemptDependencies,
  type Claim,
  type Isolation,
  type IsolationEnding,
  type IsolationPlace,
} from '#libs/executions';
import { WorkerDied } from '../fakes/in-memory-journal.js';
import { ProcessLine, type Pause } from './process-line.js';

/** The dependencies of a process at the end of its own line; `leases` holds the lease. */
export type DependenciesOf = (line: ProcessLine, leases: LeaseHolder) => AttemptDependencies;

/** Runs a suspect in a separate process, which can be killed alone and ends with its worker. */
export class InterleavedIsolation implements Isolation {
  private child: ProcessLine | null = null;

  constructor(
    private readonly parent: ProcessLine,
    private readonly pause: Pause,
    private readonly dependenciesOf: DependenciesOf,
    private readonly hasRoom: boolean,
  ) {}

  reserve(): IsolationPlace | null {
    if (!this.hasRoom) return null;
    return { run: (claim, signals) => this.run(claim, signals), release: () => undefined };
  }

  prepare(): void {
    // A worker with room always has a place.
  }

  killChild(): void {
    if (this.child) this.child.isDead = true;
  }

  private async run(claim: Claim, signals: LoopSignals): Promise<IsolationEnding> {
    const child = new ProcessLine(this.pause);
    child.isDead = this.parent.isDead;
    this.child = child;
    const deps = this.dependenciesOf(child, new LeaseOfParent(signals.abort));
    try {
      await runAttempt(deps, claim, signals.drain);
    } catch (error) {
      if (child.isDead) return endingOfDead(signals);
      // As in the program of an isolated attempt: an execution that it could not end was released.
      if (error instanceof WorkerDied) throw error;
    }
    return 'done';
  }
}

/** As `endingOf` of a real process: a death counts only if no lost lease or stop can be the reason. */
function endingOfDead({ abort, drain }: LoopSignals): IsolationEnding {
  return isLeaseLost(abort) || drain.aborted ? 'cut_off' : 'died';
}

/** As `ParentWorker`: the worker holds the lease and forwards the reason to stop. */
export class LeaseOfParent extends LeaseHolder {
  constructor(private readonly parent: AbortSignal) {
    super();
  }

  override now(): number {
    return 0;
  }

  override hold(_claim: Claim, abort: AbortController): () => void {
    const stop = (): void => abort.abort(this.parent.reason);
    if (this.parent.aborted) stop();
    else this.parent.addEventListener('abort', stop, { once: true });
    return () => this.parent.removeEventListener('abort', stop);
  }

  override holds(): boolean {
    return !isLeaseLost(this.parent);
  }
}

function isLeaseLost({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason === ('lease_lost' satisfies StopReason);
}
