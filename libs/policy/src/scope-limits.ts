import { z } from 'zod';
import { budgetSchema } from './check-budget.js';

/**
 * Limits of one loop inside an execution: a called agent or a step. Its own limits hold beside these. Maxima
 * are the operator's: the API holds what is written to them.
 */
export const scopeLimitsSchema = z
  .strictObject(
    {
      /** Of one attempt; waiting for a person does not count. */
      timeout_seconds: z.int('whole seconds from 1').min(1, 'at least 1'),
      maximum_iterations: z.int('a whole number from 1').min(1, 'at least 1'),
      budget: budgetSchema.omit({ rounds: true }),
    },
    'must be { "timeout_seconds", "maximum_iterations", "budget" }, each of them optional',
  )
  .partial();
export type WrittenScopeLimits = z.infer<typeof scopeLimitsSchema>;

/** The same as a loop takes them; nothing where none are given. */
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
