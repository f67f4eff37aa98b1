/**
 * How long linters may take here, in milliseconds. `npm test` runs them beside the crash tests at a tenth of a processor,
 * where what takes a quarter of a minute alone has taken more than two.
 */
export const PATIENCE_MS = 600_000;
