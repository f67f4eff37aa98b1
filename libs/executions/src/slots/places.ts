/** The executions that this process runs at once. */
export class Places {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  get free(): number {
    return Math.max(0, this.count - this.taken);
  }

  get areTaken(): boolean {
    return this.free === 0;
  }

  /** Until the returned function is called. */
  take(): () => void {
    this.taken += 1;
    return () => {
      this.taken -= 1;
      this.wakeOne();
    };
  }

  /**
   * Resolves when a place is free, or `signal` is aborted. A place that comes free wakes one of those who wait, the
   * first: it is free for whoever takes it then.
   */
  async untilFree(signal: AbortSignal): Promise<void> {
    if (!this.areTaken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const wake = (): void => resolve(undefined);
    this.waiting.add(wake);
    signal.addEventListener('abort', wake, { once: true });
    await promise;
    this.waiting.delete(wake);
    signal.removeEventListener('abort', wake);
  }

  private wakeOne(): void {
    const [first] = this.waiting;
    if (first === undefined || this.areTaken) return;
    this.waiting.delete(first);
    first();
  }
}
