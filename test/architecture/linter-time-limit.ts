/**
 * Time limit of linters in milliseconds. `npm test` runs them beside the crash tests at a tenth of a processor, where a run
 * of 15 s has taken more than two minutes.
 */
export const LINTER_TIME_LIMIT_MS = 600_000;
