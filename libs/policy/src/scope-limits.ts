import { z } from 'zod';
import { budgetSchema } from './check-budget.js';

/**
 * Limits of an inner loop, i.e. a called agent or a step, in addition to the agent's own limits. The operator's maxima
 * are checked by the API.
 */
export const scopeLimitsSchema = z
  .strictObject(
    {
      /** Time limit in seconds; time that waits for a person does not count. */
      timeout_seconds: z.int('whole seconds from 1').min(1, 'at least 1'),
      maximum_iterations: z.int('a whole number from 1').min(1, 'at least 1'),
      budget: budgetSchema.omit({ rounds: true }),
    },
    'must be { "timeout_seconds", "maximum_iterations", "budget" }, each of them optional',
  )
  .partial();
export type WrittenScopeLimits = z.infer<typeof scopeLimitsSchema>;

/** Converts the limits to the form of a loop; empty without limits. */
export function readScopeLimits({
  timeout_seconds: seconds,
  maximum_iterations: maximumIterations,
  budget,
}: WrittenScopeLimits): {
  readonly limits?: {
    readonly timeoutMs?: number;
    readonly maximumIterations?: number;
    readonly budget?: { readonly totalTokens: number | null; readonly cost: string | null };
  };
} {
  const limits = {
    ...(seconds !== undefined && { timeoutMs: seconds * 1_000 }),
    ...(maximumIterations !== undefined && { maximumIterations }),
    ...(budget !== undefined && { budget: { totalTokens: budget.total_tokens, cost: budget.cost } }),
  };
  return Object.keys(limits).length === 0 ? {} : { limits };
}
