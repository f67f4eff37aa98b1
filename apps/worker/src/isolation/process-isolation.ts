import type { LoopSignals } from '#libs/agent-core';
import type { Claim, Isolation, IsolationEnding } from '#libs/executions';
import { IsolatedChild, type ChildOptions } from './isolated-child.js';

/** Runs each suspect in a process of its own, so many at once. */
export class ProcessIsolation implements Isolation {
  private running = 0;

  constructor(
    private readonly options: ChildOptions,
    private readonly concurrency: number,
  ) {}

  get hasRoom(): boolean {
    return this.running < this.concurrency;
  }

  async run(claim: Claim, signals: LoopSignals): Promise<IsolationEnding> {
    if (!this.hasRoom) return 'broke_off';
    this.running += 1;
    try {
      return await new IsolatedChild(this.options, claim, signals).ended();
    } finally {
      this.running -= 1;
    }
  }
}
