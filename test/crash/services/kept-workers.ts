import type { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';

/** So many workers, as a supervisor keeps them: one that ends is replaced, until `close`. */
export class KeptWorkers {
  /** Of those that ended, whatever ended them: what they wrote. */
  readonly lastWords: string[] = [];
  private readonly running = new Set<ServiceProcess>();
  private readonly keeping: Promise<void>[] = [];
  private isClosed = false;

  private constructor(
    private readonly deployment: Deployment,
    private readonly program: string,
  ) {}

  static async start(deployment: Deployment, program: string, count: number): Promise<KeptWorkers> {
    const kept = new KeptWorkers(deployment, program);
    const first = await Promise.all(Array.from({ length: count }, () => kept.begin()));
    for (const worker of first) kept.keeping.push(kept.keep(worker));
    return kept;
  }

  /** Kills all that run at this moment; answers when each is gone. */
  async killAll(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.kill()));
  }

  /** Replaces nobody any more. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.killAll();
    await Promise.all(this.keeping);
  }

  private async begin(): Promise<ServiceProcess> {
    const worker = await this.deployment.launchWorker(this.program);
    this.running.add(worker);
    return worker;
  }

  private async keep(first: ServiceProcess): Promise<void> {
    for (let worker = first; ; worker = await this.begin()) {
      await worker.exited;
      this.running.delete(worker);
      this.lastWords.push(worker.log);
      if (this.isClosed) return;
    }
  }
}
