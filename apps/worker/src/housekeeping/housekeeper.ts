import type { Logger } from '#libs/observability';

/** Something to do again and again, e.g. to look for work whose job was lost. */
export interface Chore {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<unknown>;
}

/** Runs chores until stopped. A chore that fails is logged and tried again at its next time; none overlaps itself. */
export class Housekeeper {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly busy = new Set<string>();

  constructor(
    private readonly chores: readonly Chore[],
    private readonly logger: Logger,
  ) {}

  start(): void {
    for (const chore of this.chores) {
      this.begin(chore);
      this.timers.push(setInterval(() => this.begin(chore), chore.everyMs));
    }
  }

  async stop(): Promise<void> {
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all(this.running);
  }

  private begin(chore: Chore): void {
    if (this.busy.has(chore.name)) return;
    this.busy.add(chore.name);
    const run = this.runOnce(chore).finally(() => {
      this.busy.delete(chore.name);
      this.running.delete(run);
    });
    this.running.add(run);
  }

  private async runOnce(chore: Chore): Promise<void> {
    try {
      await chore.run();
    } catch (err) {
      this.logger.warn({ err, chore: chore.name }, 'chore failed');
    }
  }
}
