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

/** After the grace period the process ends by itself, whatever hangs: correctness never depends on a clean end. */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

/** Lets the process end when it is asked to: the app finishes within `graceMs`, and a little later nobody asks. */
export function stopOnSignal(app: { close(): Promise<void> }, graceMs: number): void {
  const stop = (): void => {
    setTimeout(() => process.exit(1), graceMs + HARD_EXIT_AFTER_GRACE_MS).unref();
    void app.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
