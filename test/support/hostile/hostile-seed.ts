import { RUNS_ALL } from '../selection.js';

/** A day in milliseconds. */
const DAY = 86_400_000;
/** Days since 1970, so that each day draws other cases; `FUZZ_SEED=…` repeats those of a day. */
const SEED = Number(process.env['FUZZ_SEED'] ?? Math.floor(Date.now() / DAY));

/** The settings of a draw for fast-check. */
export interface Draw {
  readonly seed: number;
  readonly numRuns: number;
  readonly endOnFailure: boolean;
}

/**
 * The draw of today; fast-check prints its seed with a failure.
 *
 * @param daily the number of cases in `npm test`
 * @param all the number of cases in the full run
 */
export function hostileSeed({ daily, all }: { readonly daily: number; readonly all: number }): Draw {
  const times = Number(process.env['FUZZ_RUNS'] ?? 1);
  // No shrinking: it replays a case many times, and each run may be expensive.
  return { seed: SEED, numRuns: (RUNS_ALL ? all : daily) * times, endOnFailure: true };
}
