import { describe, expect, it } from '@jest/globals';
import { checkWorld } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

/** True if so many unexpected exits exceed the limit, with these submissions as poison executions. */
function areTooMany(ends: number, poison: readonly string[]): boolean {
  const world = healthyWorld();
  const plan = world.plan.map((turn) =>
    poison.includes(turn.key) ? { ...turn, fate: 'poison' as const } : turn,
  );
  const unexpectedExits = Array.from({ length: ends }, () => 'worker-1: code 1');
  return checkWorld({ ...world, plan, unexpectedExits }).some(({ invariant }) => invariant === 'I23');
}

describe('processes that end by themselves', () => {
  it.each([
    { what: 'one without a poison execution', ends: 1, poison: [], tooMany: true },
    { what: 'two by a poison execution', ends: 2, poison: ['k2'], tooMany: false },
    { what: 'three by a poison execution', ends: 3, poison: ['k2'], tooMany: true },
    {
      what: 'three by a poison execution that was lost once after it got further',
      ends: 3,
      poison: ['k1'],
      tooMany: false,
    },
    { what: 'four by such a poison execution', ends: 4, poison: ['k1'], tooMany: true },
  ])('$what: too many is $tooMany', ({ ends, poison, tooMany }) => {
    expect(areTooMany(ends, poison)).toBe(tooMany);
  });
});

/** The invariants that a poison execution with this ending violates. */
function violatedBy(finishedAt: number): string[] {
  const world = healthyWorld();
  const plan = world.plan.map((turn) => (turn.key === 'k2' ? { ...turn, fate: 'poison' as const } : turn));
  const executions = world.database.executions.map((execution) =>
    execution.key === 'k2' ? { ...execution, status: 'incomplete', finishedAt } : execution,
  );
  const found = checkWorld({ ...world, plan, database: { ...world.database, executions } });
  return found.map(({ invariant }) => invariant);
}

describe('a poison execution that ends incomplete', () => {
  it.each([
    { when: 'before its deadline', finishedAt: 60_099, isViolation: true },
    { when: 'at its deadline', finishedAt: 60_100, isViolation: false },
  ])('violates I25 $when: $isViolation', ({ finishedAt, isViolation }) => {
    expect(violatedBy(finishedAt).includes('I25')).toBe(isViolation);
  });
});
