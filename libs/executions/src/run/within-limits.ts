import { tightenBudget } from '#libs/policy';
import type { ScopeLimits } from '#libs/tooling';
import type { ExecutionPlan } from './execution-plan.js';

/** The plan of an agent that is called, within what its caller lets it have; the tighter limit holds. Pure. */
export function withinLimits(plan: ExecutionPlan, limits: ScopeLimits = {}): ExecutionPlan {
  const { maximumIterations, budget } = plan.rules;
  const rules = {
    ...plan.rules,
    maximumIterations: Math.min(maximumIterations, limits.maximumIterations ?? Infinity),
    budget: tightenBudget(budget, limits.budget ?? {}),
  };
  return { ...plan, rules };
}
