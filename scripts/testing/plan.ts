import { notDailyPattern } from './daily.ts';
import type { Lane } from './lanes.ts';
import type { Phase } from './phase.ts';

/** Environment with which a spec file runs every case; without it, the selection of `npm test`. */
export const EVERY_CASE = { TESTS: 'all' } as const;

/**
 * Stages of `npm test`. Process tests use both processors alone; integration tests also wait for connections and timeouts,
 * so unit tests run beside them. Pure.
 */
export function dailyStages(jestArgs: readonly string[]): Phase[][] {
  const phase = (name: string, projects: readonly string[], workers: number): Phase => ({
    name,
    args: [
      ...['--selectProjects', ...projects, `--maxWorkers=${workers}`],
      ...[`--testPathIgnorePatterns=${notDailyPattern()}`, ...jestArgs],
    ],
  });
  return [
    [phase('processes', ['crash', 'e2e'], 2)],
    [phase('integration', ['integration'], 3), phase('pure code', ['unit', 'architecture'], 2)],
  ];
}

/** One stage for each lane, with every case. Pure. */
export function laneStages(lanes: readonly Lane[], jestArgs: readonly string[]): Phase[][] {
  return lanes.map(({ name, project, folder }) => [
    {
      name,
      args: [
        ...['--selectProjects', project, '--maxWorkers=2', ...jestArgs],
        ...(folder === null ? [] : [`--testPathPatterns=${folder}`]),
      ],
      env: EVERY_CASE,
    },
  ]);
}
