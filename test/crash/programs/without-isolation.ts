import type { RunExecutionDependencies } from '#libs/executions';
import { withMethods } from './with-methods.js';

/** Whoever ended several workers is poisoned without a hearing, as if only its own doing could have ended them. */
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
