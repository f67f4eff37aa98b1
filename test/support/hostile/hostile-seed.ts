import { RUNS_ALL } from '../selection.js';

/** Milliseconds of a day. */
const DAY = 86_400_000;
/** Days since 1970: others every day; `FUZZ_SEED=…` repeats those of a day. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / DAY));

/** The cases that a suite draws of a generator, for fast-check. */
export interface Draw {
  readonly seed: number;
  readonly numRuns: number;
  readonly endOnFailure: boolean;
}

/**
 * The share of today, which a failure of fast-check prints with its seed.
 *
 * @param daily cases of `npm test`
 * @param all cases where everything runs
 */
export function hostileSeed({ daily, all }: { readonly daily: number; readonly all: number }): Draw {
  const times = Number(process.env['FUZZ_RUNS'] ?? 1);
  // A case that is made smaller is played again many times, and each may be dear.
  return { seed: SEED, numRuns: (RUNS_ALL ? all : daily) * times, endOnFailure: true };
}
