/** A semaphore with a FIFO line. A slot is passed on directly, so that no newcomer overtakes a waiting task. */
export class Turns {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** @param mostWaiting maximum waiting tasks; further ones are refused */
  constructor(private readonly mostWaiting = Infinity) {}

  get isEmpty(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /**
   * Resolves to true once the task has a slot, which it must leave exactly once. Resolves to false if the signal aborts
   * first or too many tasks wait.
   *
   * @param atOnce number of slots, which may change from call to call
   * @param waitSignal creates the abort signal; called only if the task has to wait
   */
  async enter(atOnce: number, waitSignal: () => AbortSignal): Promise<boolean> {
    if (this.taken >= atOnce) return this.wait(waitSignal);
    this.taken += 1;
    return true;
  }

  leave(atOnce: number): void {
    this.taken -= 1;
    const [first] = this.waiting;
    if (this.taken < atOnce) first?.();
  }

  private wait(waitSignal: () => AbortSignal): Promise<boolean> {
    const signal = waitSignal();
    if (signal.aborted || this.waiting.size >= this.mostWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isInside: boolean): void => {
        this.waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
        // Taken synchronously: no other task may take the slot before the waiting one resumes.
        if (isInside) this.taken += 1;
        resolve(isInside);
      };
      const enter = (): void => end(true);
      const giveUp = (): void => end(false);
      this.waiting.add(enter);
      signal.addEventListener('abort', giveUp);
    });
  }
}
