/**
 * Lets so many works run at once, and the others wait in their order: whoever shares connections with more important
 * work may not hold them all when nothing comes back.
 */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(
    private readonly atOnce: number,
    /** Milliseconds that a work waits for its turn; then it throws. */
    private readonly patienceMs: number,
  ) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(): Promise<null> {
    if (this.taken < this.atOnce) {
      this.taken += 1;
      return Promise.resolve(null);
    }
    const { promise, resolve, reject } = Promise.withResolvers<null>();
    const go = (): void => {
      clearTimeout(timer);
      resolve(null);
    };
    const timer = setTimeout(() => {
      this.waiting.splice(this.waiting.indexOf(go), 1);
      reject(new Error(`no turn within ${this.patienceMs} ms`));
    }, this.patienceMs);
    this.waiting.push(go);
    return promise;
  }

  /** A turn is passed on rather than released, so that nobody overtakes those who wait. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken -= 1;
  }
}
