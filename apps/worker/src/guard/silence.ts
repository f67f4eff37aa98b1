/** State of the main thread at one look. */
export interface Look {
  /** Increases whenever the event loop runs. */
  readonly beat: number;
  /** Total time that the thread waited for a processor since its start, in milliseconds. */
  readonly waitedMs: number;
}

/** Period in which the thread's event loop has not run. */
export interface Silence extends Look {
  /** Number of checks in this period. */
  readonly looks: number;
}

/** @param before null at the first look */
export function continueSilence(before: Silence | null, { beat, waitedMs }: Look): Silence {
  if (before?.beat !== beat) return { beat, waitedMs, looks: 0 };
  return { ...before, looks: before.looks + 1 };
}

/** Minimum share of a silence that always counts, so that a hanging thread is ended eventually. */
const MIN_SHARE = 1 / 3;

/**
 * Milliseconds of a silence that the thread itself caused. Looks are counted instead of elapsed time, so that a frozen
 * process gets time to resume. Time spent waiting for a processor is subtracted; otherwise a busy machine would count as
 * a hang.
 */
export function silentMs(silence: Silence, lookEveryMs: number, waitedMs: number): number {
  const wholeMs = silence.looks * lookEveryMs;
  return Math.max(wholeMs - (waitedMs - silence.waitedMs), wholeMs * MIN_SHARE);
}
