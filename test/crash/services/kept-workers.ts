import type { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';

/** A number of workers under a supervisor, which replaces each one that ends until `close`. */
export class KeptWorkers {
  /** The logs of the workers that have ended, killed or not. */
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

  /** Kills all running workers; resolves when each has ended. */
  async killAll(): Promise<void> {
    await Promise.all([...this.running].map((worker) => worker.kill()));
  }

  /** Kills all workers and replaces none. */
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
