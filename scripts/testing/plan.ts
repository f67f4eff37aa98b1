import { notDailyPattern } from './daily.ts';
import type { Lane } from './lanes.ts';
import type { Phase } from './phase.ts';

/** Environment in which a spec file runs every case; without it, the selection of `npm test`. */
export const EVERY_CASE = { TESTS: 'all' } as const;

/**
 * The stages of `npm test`. Tests of processes mostly wait, for starts, leases and deadlines: pure code computes beside
 * them, at a lower priority, in the rest of the processors. Integration tests compute, and have time limits on the way:
 * they have the machine for themselves. Pure.
 */
export function dailyStages(jestArgs: readonly string[]): Phase[][] {
  const phase = (name: string, projects: readonly string[], more: Partial<Phase> = {}): Phase => ({
    name,
    args: ['--selectProjects', ...projects, '--maxWorkers=2', ...jestArgs],
    ...more,
  });
  const processes = phase('processes', ['crash', 'e2e']);
  return [
    [
      { ...processes, args: [...processes.args, `--testPathIgnorePatterns=${notDailyPattern()}`] },
      phase('pure code', ['unit', 'architecture'], { givesWay: true }),
    ],
    [phase('integration', ['integration'])],
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
