import { compareDecimals } from '#libs/kernel';
import { z } from 'zod';

const amount = z.int('must be a whole number').min(0, 'must be at least 0').nullable().default(null);

/** Money is decimal text, never floating point. */
const money = z
  .string('must be a decimal number as text, e.g. "1.25"')
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'must be a decimal number as text, e.g. "1.25"');

/** The budget of one execution in an agent's configuration; null means unlimited. */
export const budgetSchema = z.strictObject({
  /** Maximum tokens of all model calls, input and output. */
  total_tokens: amount,
  /** Maximum cost, in the currency of the model's prices. */
  cost: money.nullable().default(null),
  /** Maximum number of model answers. */
  rounds: amount,
});
export type Budget = z.infer<typeof budgetSchema>;

/** Limits a budget by a second allowance; null in the allowance means unlimited. */
export function tightenBudget(
  budget: Budget,
  allowed: { readonly totalTokens?: number | null; readonly cost?: string | null },
): Budget {
  const { totalTokens = null, cost = null } = allowed;
  return {
    ...budget,
    total_tokens:
      totalTokens === null ? budget.total_tokens : Math.min(budget.total_tokens ?? Infinity, totalTokens),
    cost:
      cost !== null && (budget.cost === null || compareDecimals(cost, budget.cost) < 0) ? cost : budget.cost,
  };
}

/** The spending of an execution so far. */
export interface Spending {
  readonly totalTokens: number;
  /** US dollars as decimal text; asked for only where a budget limits the cost. */
  readonly cost: () => string;
  readonly rounds: number;
}

export type BudgetVerdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'exceeded'; readonly which: 'total_tokens' | 'cost' | 'rounds' };

/**
 * Whether another round may begin. A budget is exceeded as soon as nothing is left, since no round is free. Reports the
 * first reached limit in the order tokens, cost, rounds. Throws an `AppError` for a cost that is no decimal number.
 */
export function checkBudget(spent: Spending, budget: Budget): BudgetVerdict {
  if (budget.total_tokens !== null && spent.totalTokens >= budget.total_tokens)
    return exceeded('total_tokens');
  if (budget.cost !== null && compareDecimals(spent.cost(), budget.cost) >= 0) return exceeded('cost');
  if (budget.rounds !== null && spent.rounds >= budget.rounds) return exceeded('rounds');
  return { kind: 'within' };
}

function exceeded(which: Extract<BudgetVerdict, { kind: 'exceeded' }>['which']): BudgetVerdict {
  return { kind: 'exceeded', which };
}
