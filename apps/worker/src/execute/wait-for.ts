import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves after `ms` milliseconds or when `signal` aborts; never rejects. */
export async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    // Aborted: that is an answer too.
  }
}
