import type { INestApplicationContext } from '@nestjs/common';

/** After the grace period the process ends by itself, whatever hangs: correctness never depends on a clean end. */
const HARD_EXIT_AFTER_GRACE_MS = 5_000;

/** Lets the process end when it is asked to: the app finishes within `graceMs`, and a little later nobody asks. */
export function stopOnSignal(app: INestApplicationContext, graceMs: number): void {
  const stop = (): void => {
    setTimeout(() => process.exit(1), graceMs + HARD_EXIT_AFTER_GRACE_MS).unref();
    void app.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}
