/** Rows that Capstan does not do yet, and what stands in their place. A test that names one takes it off this list. */
export const NOT_BUILT: ReadonlyMap<string, string> = new Map([
  ['S4-11', 'the engine `claude_agent_sdk`'],
  ['S4-30', 'aliases of models'],
]);

/** Rows that no test names. Every other row that is built has one. */
export const WITHOUT_TEST: ReadonlySet<string> = new Set(['S4-5', 'S4-12']);
