// @ts-check
const SAID = 'done';

/**
 * A request that runs the agent job under a new key each time, and fails where the run says something else than the model.
 * @param {(key: string) => Promise<unknown>} run answers what the run said
 * @param {string} name of the keys, used by no other runs
 * @returns {() => Promise<void>}
 */
export function checkedRun(run, name) {
  let runs = 0;
  return async () => {
    runs += 1;
    const said = await run(`${name}-${runs}`);
    if (said !== SAID) throw new Error(`a run came to ${JSON.stringify(said)} and not to "${SAID}"`);
  };
}
