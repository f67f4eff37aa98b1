/** Rows that are not implemented, with their substitute. A row with a test must leave this list. */
export const NOT_BUILT: ReadonlyMap<string, string> = new Map();

/** Rows without a test; every other implemented row has one. */
export const WITHOUT_TEST: ReadonlySet<string> = new Set();
