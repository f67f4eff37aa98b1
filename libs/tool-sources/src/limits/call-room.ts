/** Calls in line for one server; beyond that the next one is refused at once. */
const MOST_WAITING = 256;

/** How many calls of one server are under way in this process; the others wait in turn. */
export class CallRoom {
  private underWay = 0;
  private readonly waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.underWay === 0 && this.waiting.size === 0;
  }

  /** False where `patience` ended first, or too many wait already. Whoever is let in leaves again, once. */
  async enter(places: number, patience: AbortSignal): Promise<boolean> {
    if (this.underWay >= places) return this.wait(patience);
    this.underWay += 1;
    return true;
  }

  leave(places: number): void {
    this.underWay -= 1;
    const [first] = this.waiting;
    if (this.underWay < places) first?.();
  }

  private wait(patience: AbortSignal): Promise<boolean> {
    if (patience.aborted || this.waiting.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isInside: boolean): void => {
        this.waiting.delete(enter);
        patience.removeEventListener('abort', giveUp);
        // At once: before whoever waited goes on, nobody else may take the place.
        if (isInside) this.underWay += 1;
        resolve(isInside);
      };
      const enter = (): void => end(true);
      const giveUp = (): void => end(false);
      this.waiting.add(enter);
      patience.addEventListener('abort', giveUp);
    });
  }
}
