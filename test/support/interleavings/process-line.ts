import { WorkerDied } from '../fakes/in-memory-journal.js';

/** Yields to all other processes for as long as the scheduler likes. */
export type Pause = (label: string) => Promise<void>;

/** The connection of one worker process to all else: slow in both directions, and cut when the process dies. */
export class ProcessLine {
  isDead = false;
  /** True if requests that had not arrived at the death of the process are lost. */
  losesRequests = false;

  constructor(private readonly pause: Pause) {}

  /** Sends a request. It may still arrive after the process has died, but its answer does not. */
  async ask<T>(label: string, act: () => T | Promise<T>): Promise<T> {
    this.assertAlive();
    await this.pause(`${label}: request`);
    if (this.losesRequests) this.assertAlive();
    const answer = await act();
    await this.pause(`${label}: answer`);
    this.assertAlive();
    return answer;
  }

  private assertAlive(): void {
    if (this.isDead) throw new WorkerDied();
  }
}
