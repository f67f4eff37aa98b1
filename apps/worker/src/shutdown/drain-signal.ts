/** Asks everything that runs here to stop at the next boundary. */
export class DrainSignal {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  drain(): void {
    this.controller.abort();
  }
}
