/** Signals all running work to stop at its next boundary. */
export class DrainSignal {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  drain(): void {
    this.controller.abort();
  }
}

/**
 * Time after the grace period before a hanging process is killed, in milliseconds: correctness never depends on a clean
 * end.
 */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

/** Stops the process on SIGTERM or SIGINT: the app gets `graceMs` to finish; then the process is killed. */
export function stopOnSignal(app: { close(): Promise<void> }, graceMs: number): void {
  const stop = (): void => {
    setTimeout(() => process.exit(1), graceMs + HARD_EXIT_AFTER_GRACE_MS).unref();
    void app.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
