import type { RunExecutionDependencies } from '#libs/executions';

/** For workers that are assigned nothing. */
export const NO_ASSIGNMENTS: RunExecutionDependencies['assignments'] = {
  take: () => Promise.resolve({ kind: 'not_runnable' }),
};
