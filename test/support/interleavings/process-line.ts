import { WorkerDied } from '../fakes/in-memory-journal.js';

/** Lets everybody else go first, for as long as the scheduler likes. */
export type Pause = (label: string) => Promise<void>;

/** What connects one worker process to everything else: slow in both directions, and cut when the process dies. */
export class ProcessLine {
  isDead = false;
  /** Whether what had not arrived when the process died is lost with it. */
  losesRequests = false;

  constructor(private readonly pause: Pause) {}

  /** What was sent before the process died may arrive all the same; its answer does not. */
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
