import type { RunExecutionDependencies } from '#libs/executions';
import { withMethods } from './with-methods.js';

/** Poisons a suspect without an isolated attempt, as if it had caused every death of its workers. */
export function withoutIsolation(deps: RunExecutionDependencies): RunExecutionDependencies {
  const { claims } = deps;
  return {
    ...deps,
    claims: withMethods(claims, {
      claim: async (executionId, options, token) => {
        const result = await claims.claim(executionId, { ...options, canIsolate: true }, token);
        return result.kind === 'claimed' && result.claim.isSuspect
          ? { kind: 'poisoned', claim: result.claim }
          : result;
      },
    }),
  };
}
