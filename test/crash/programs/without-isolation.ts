import type { RunExecutionDependencies } from '../../../apps/worker/src/execute/run-execution-dependencies.js';
import { withMethods } from './with-methods.js';

/** Whoever ended several workers is poisoned without a hearing, as if only its own doing could have ended them. */
export function withoutIsolation(to: RunExecutionDependencies): RunExecutionDependencies {
  const { claims } = to;
  return {
    ...to,
    claims: withMethods(claims, {
      claim: async (executionId, options) => {
        const result = await claims.claim(executionId, { ...options, canIsolate: true });
        return result.kind === 'claimed' && result.claim.isSuspect
          ? { kind: 'poisoned', claim: result.claim }
          : result;
      },
    }),
  };
}
