/** `TESTS=all`: every case of every suite. Without it, those that `npm test` runs. */
export const RUNS_ALL = process.env['TESTS'] === 'all';

/** The daily cases of a table; all of them where everything runs. */
export function chosen<Case>(
  cases: readonly Case[],
  isDaily: (one: Case) => boolean,
  runsAll = RUNS_ALL,
): readonly Case[] {
  return runsAll ? cases : cases.filter(isDaily);
}

/** Registers suites and tests where everything runs; elsewhere they are not there, which is not the same as skipped. */
export function whenAllRun(register: () => void, runsAll = RUNS_ALL): void {
  if (runsAll) register();
}
