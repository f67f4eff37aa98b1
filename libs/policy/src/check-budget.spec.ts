import { describe, expect, it } from '@jest/globals';
import { budgetSchema, checkBudget } from './check-budget.js';

const UNLIMITED = { total_tokens: null, cost: null, rounds: null };

describe('checkBudget', () => {
  it.each([
    ['nothing is limited', {}, { totalTokens: 10 ** 9, cost: '1000000', rounds: 30 }, 'within'],
    ['one token is left', { total_tokens: 100 }, { totalTokens: 99 }, 'within'],
    ['no token is left', { total_tokens: 100 }, { totalTokens: 100 }, 'total_tokens'],
    ['more tokens were spent than allowed', { total_tokens: 100 }, { totalTokens: 101 }, 'total_tokens'],
    ['money is left, by a hair', { cost: '0.3' }, { cost: '0.299999999999999999' }, 'within'],
    ['sums that floating point gets wrong are equal', { cost: '0.3' }, { cost: '0.30' }, 'cost'],
    ['the money is spent', { cost: '0.3' }, { cost: '0.300000000000000001' }, 'cost'],
    ['a longer text is a smaller number', { cost: '9' }, { cost: '10' }, 'cost'],
    ['a round is left', { rounds: 3 }, { rounds: 2 }, 'within'],
    ['the rounds are used up', { rounds: 3 }, { rounds: 3 }, 'rounds'],
    ['nothing may be spent at all', { total_tokens: 0 }, {}, 'total_tokens'],
    ['several limits are reached: the first counts', { cost: '0', rounds: 0 }, {}, 'cost'],
  ])('%s', (_name, budget, spent, expected) => {
    const { cost, ...others } = { cost: '0', ...spent };
    const verdict = checkBudget(
      { totalTokens: 0, rounds: 0, ...others, cost: () => cost },
      { ...UNLIMITED, ...budget },
    );
    expect(verdict).toEqual(
      expected === 'within' ? { kind: 'within' } : { kind: 'exceeded', which: expected },
    );
  });
});

describe('budgetSchema', () => {
  it('limits nothing by itself', () => expect(budgetSchema.parse({})).toEqual(UNLIMITED));

  it.each([
    ['cost', 1.5],
    ['cost', '-1'],
    ['cost', '1e3'],
    ['cost', ''],
    ['total_tokens', -1],
    ['total_tokens', 1.5],
    ['rounds', '3'],
  ])('refuses %s %j and names the field', (field, value) => {
    const parsed = budgetSchema.safeParse({ [field]: value });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('refuses a limit that it does not know', () => {
    expect(budgetSchema.safeParse({ max_tokens: 5 }).success).toBe(false);
  });
});
