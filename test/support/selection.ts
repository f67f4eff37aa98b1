/** True under `TESTS=all`, which runs every case of every suite; otherwise those of `npm test` run. */
export const RUNS_ALL = process.env['TESTS'] === 'all';

/** The daily cases of a table, or all of them in the full run. */
export function chosen<Case>(
  cases: readonly Case[],
  isDaily: (one: Case) => boolean,
  runsAll = RUNS_ALL,
): readonly Case[] {
  return runsAll ? cases : cases.filter(isDaily);
}

/** Registers suites and tests in the full run; otherwise they do not exist, rather than being skipped. */
export function whenAllRun(register: () => void, runsAll = RUNS_ALL): void {
  if (runsAll) register();
}
