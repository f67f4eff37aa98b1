import type { Logger } from '#libs/observability';

/** Task that runs at a fixed interval, e.g. the search for lost jobs. */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

/** Runs tasks until stopped. A failure is logged and the task runs again at its next time; a task never overlaps itself. */
export class Housekeeper {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly busy = new Set<string>();

  constructor(
    private readonly tasks: readonly PeriodicTask[],
    private readonly logger: Logger,
  ) {}

  start(): void {
    for (const task of this.tasks) {
      this.begin(task);
      this.timers.push(setInterval(() => this.begin(task), task.everyMs));
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }

  private begin(task: PeriodicTask): void {
    if (this.busy.has(task.name)) return;
    this.busy.add(task.name);
    const run = this.runOnce(task).finally(() => {
      this.busy.delete(task.name);
      this.running.delete(run);
    });
    this.running.add(run);
  }

  private async runOnce(task: PeriodicTask): Promise<void> {
    try {
      await task.run();
    } catch (err) {
      this.logger.warn({ err, task: task.name }, 'task failed');
    }
  }
}
