/** Rows that Capstan does not do yet, and what stands in their place. A test that names one takes it off this list. */
export const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ['S4-11', 'the engine `claude_agent_sdk`'],
  ['S4-30', 'aliases of models'],
]);

<<<<<<< HEAD
/** Rows that no test names. Every other row that is built has one. */
export const WITHOUT_TEST: ReadonlySet<string> = new Set(['S4-5', 'S4-12']);
=======
/** Rules for whoever writes code, and rows of other engines: no test names them. Every other row that is built has one. */
export const WITHOUT_TEST: ReadonlySet<string> = new Set([
  ...['S2-1', 'S2-38', 'S2-39'],
  ...['S3-32', 'S3-36', 'S3-40'],
  ...['S4-5', 'S4-12'],
]);
>>>>>>> main
