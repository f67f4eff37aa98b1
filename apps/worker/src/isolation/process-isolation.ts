import type { LoopSignals } from '#libs/agent-core';
import type { Claim, Isolation, IsolationEnding, IsolationPlace } from '#libs/executions';
import { IsolatedChild, type ChildOptions } from './isolated-child.js';

/** Runs each suspect in a process of its own, so many at once. */
export class ProcessIsolation implements Isolation {
  private taken = 0;

  constructor(
    private readonly options: ChildOptions,
    private readonly concurrency: number,
  ) {}

  reserve(): IsolationPlace | null {
    if (this.taken >= this.concurrency) return null;
    this.taken += 1;
    let isHeld = true;
    return {
      run: (claim: Claim, signals: LoopSignals): Promise<IsolationEnding> =>
        new IsolatedChild(this.options, claim, signals).ended(),
      release: () => {
        if (isHeld) this.taken -= 1;
        isHeld = false;
      },
    };
  }
}
