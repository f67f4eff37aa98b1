/** Patterns of spec files that `npm test` leaves out: only `npm run test:all` runs their cases. */
export const LEFT_OUT_DAILY: readonly string[] = [];
