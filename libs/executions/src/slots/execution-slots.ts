/** Slots for the executions that this process runs at once. */
export class ExecutionSlots {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly count: number) {}

  get free(): number {
    return Math.max(0, this.count - this.taken);
  }

  get areTaken(): boolean {
    return this.free === 0;
  }

  /** Takes a slot until the returned function is called; further calls do nothing. */
  take(): () => void {
    this.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.taken -= 1;
      this.wakeOne();
    };
  }

  /**
   * Resolves once a slot is free or `signal` aborts. A freed slot wakes only the first waiter and is not reserved for it.
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
