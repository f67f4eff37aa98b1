/** What is known of the main thread at one moment. */
export interface Look {
  /** Goes up whenever the thread comes to look at its events. */
  readonly beat: number;
  /** For how long it has wanted a processor and not had one, since it began, ms. */
  readonly waitedMs: number;
}

/** Since when a thread has not looked at its events. */
export interface Silence extends Look {
  /** How often somebody has looked since. */
  readonly looks: number;
}

/** @param before null at the first look */
export function continueSilence(before: Silence | null, { beat, waitedMs }: Look): Silence {
  if (before?.beat !== beat) return { beat, waitedMs, looks: 0 };
  return { ...before, looks: before.looks + 1 };
}

/** However much a thread has waited, a silence counts for so much of its length: one that hangs has to end some time. */
const LEAST_SHARE = 1 / 3;

/**
 * For how long the thread has kept silent though it could have spoken, ms. Looks are counted, not the time between them:
 * a process that was frozen is given time to wake up. What the thread has waited for a processor is not its own doing,
 * else a busy machine would be evidence against whatever runs there.
 */
export function silentMs(silence: Silence, lookEveryMs: number, waitedMs: number): number {
  const wholeMs = silence.looks * lookEveryMs;
  return Math.max(wholeMs - (waitedMs - silence.waitedMs), wholeMs * LEAST_SHARE);
}
