/**
 * Lets so many works run at once; the others wait in the order of their coming. A place is passed on rather than released,
 * so that none overtakes those that wait.
 */
export class Turns {
  private taken = 0;
  private readonly waiting = new Set<() => void>();

  /** @param mostWaiting works in line at once; the next one is refused */
  constructor(private readonly mostWaiting = Infinity) {}

  get isEmpty(): boolean {
    return this.taken === 0 && this.waiting.size === 0;
  }

  /**
   * True once it is this work's turn, which then leaves, once. False where the signal is aborted first, or too many wait.
   *
   * @param atOnce how many may run, which may change from call to call
   * @param patience asked for only where there is something to wait for
   */
  async enter(atOnce: number, patience: () => AbortSignal): Promise<boolean> {
    if (this.taken >= atOnce) return this.wait(patience);
    this.taken += 1;
    return true;
  }

  leave(atOnce: number): void {
    this.taken -= 1;
    const [first] = this.waiting;
    if (this.taken < atOnce) first?.();
  }

  private wait(patience: () => AbortSignal): Promise<boolean> {
    const signal = patience();
    if (signal.aborted || this.waiting.size >= this.mostWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isInside: boolean): void => {
        this.waiting.delete(enter);
        signal.removeEventListener('abort', giveUp);
        // At once: before the work that waited goes on, no other may take the place.
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
