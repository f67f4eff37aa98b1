import { tightenBudget } from '#libs/policy';
import type { ScopeLimits } from '#libs/tooling';
import type { ExecutionPlan } from './execution-plan.js';

/** The plan of a called agent within its caller's limits; the tighter limit applies. Pure. */
export function withinLimits(plan: ExecutionPlan, limits: ScopeLimits = {}): ExecutionPlan {
  const { maximumIterations, budget, pipeline } = plan.rules;
  const rules = {
    ...plan.rules,
    // The rounds of a pipeline are its steps, so they have no other limit.
    ...(pipeline === undefined && {
      maximumIterations: Math.min(maximumIterations, limits.maximumIterations ?? Infinity),
    }),
    budget: tightenBudget(budget, limits.budget ?? {}),
  };
  return { ...plan, rules };
}
