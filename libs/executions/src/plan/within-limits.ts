import { tightenBudget } from '#libs/policy';
import type { ScopeLimits } from '#libs/tooling';
import type { ExecutionPlan } from './execution-plan.js';

/** The plan of an agent that is called, within what its caller lets it have; the tighter limit holds. Pure. */
export function withinLimits(plan: ExecutionPlan, limits: ScopeLimits = {}): ExecutionPlan {
  const { maximumIterations, budget, pipeline } = plan.rules;
  const rules = {
    ...plan.rules,
    // The rounds of a pipeline are its steps, as many as it has.
    ...(pipeline === undefined && {
      maximumIterations: Math.min(maximumIterations, limits.maximumIterations ?? Infinity),
    }),
    budget: tightenBudget(budget, limits.budget ?? {}),
  };
  return { ...plan, rules };
}
