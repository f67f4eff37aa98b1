import type { ConnectionWatch, Connected } from './connection-watch.js';

/** What this process is connected to, and whether it answers. */
export class WorkerHealth {
  private timer: NodeJS.Timeout | undefined;

  /** @param watches one for each of `connected`, and for what else may be of no more use */
  constructor(
    private readonly connected: readonly Connected[],
    private readonly watches: readonly ConnectionWatch[],
    private readonly lookEveryMs: number,
  ) {}

  start(): void {
    this.timer = setInterval(() => {
      for (const watch of this.watches) void watch.look();
    }, this.lookEveryMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** False when a restart would help. */
  get isLive(): boolean {
    return this.watches.every((watch) => !watch.isStuck);
  }

  /** Throws when anything does not answer on the connections that are in use. */
  async checkReady(): Promise<void> {
    await Promise.all(this.connected.map((connected) => connected.check()));
  }
}
