import { compareDecimals } from '#libs/kernel';
import { z } from 'zod';

const amount = z.int('must be a whole number').min(0, 'must be at least 0').nullable().default(null);

/** Money is text, never floating point. */
const money = z
  .string('must be a decimal number as text, e.g. "1.25"')
  .regex(/^\d{1,12}(\.\d{1,18})?$/, 'must be a decimal number as text, e.g. "1.25"');

/** What one execution may spend, as an agent's configuration says it; null means without limit. */
export const budgetSchema = z.strictObject({
  /** Tokens of all model calls, input and output. */
  total_tokens: amount,
  /** In the currency of the model's prices. */
  cost: money.nullable().default(null),
  /** Answers of the model. */
  rounds: amount,
});
export type Budget = z.infer<typeof budgetSchema>;

/** A budget that stays within what somebody else allows besides; null there is without limit. */
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

/** What an execution has spent so far. */
export interface Spending {
  readonly totalTokens: number;
  /** A decimal number as text. */
  readonly cost: string;
  readonly rounds: number;
}

export type BudgetVerdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'exceeded'; readonly which: 'total_tokens' | 'cost' | 'rounds' };

/**
 * May another round begin? A budget is exceeded as soon as nothing of it is left, since no round is free. Names the first
 * limit that was reached, in the order tokens, cost, rounds. Throws an `AppError` for a cost that is not a decimal number.
 */
export function checkBudget(spent: Spending, budget: Budget): BudgetVerdict {
  if (budget.total_tokens !== null && spent.totalTokens >= budget.total_tokens)
    return exceeded('total_tokens');
  if (budget.cost !== null && compareDecimals(spent.cost, budget.cost) >= 0) return exceeded('cost');
  if (budget.rounds !== null && spent.rounds >= budget.rounds) return exceeded('rounds');
  return { kind: 'within' };
}

function exceeded(which: Extract<BudgetVerdict, { kind: 'exceeded' }>['which']): BudgetVerdict {
  return { kind: 'exceeded', which };
}
