import { describe, expect, it } from '@jest/globals';
import { checkWorld } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

/** True if so many unexpected exits exceed the limit, with these submissions as pills. */
function areTooMany(ends: number, pills: readonly string[]): boolean {
  const world = healthyWorld();
  const plan = world.plan.map((turn) =>
    pills.includes(turn.key) ? { ...turn, fate: 'pill' as const } : turn,
  );
  const unexpectedExits = Array.from({ length: ends }, () => 'worker-1: code 1');
  return checkWorld({ ...world, plan, unexpectedExits }).some(({ invariant }) => invariant === 'I23');
}

describe('processes that end by themselves', () => {
  it.each([
    { what: 'one, where there is no pill', ends: 1, pills: [], tooMany: true },
    { what: 'two by a pill', ends: 2, pills: ['k2'], tooMany: false },
    { what: 'three by a pill', ends: 3, pills: ['k2'], tooMany: true },
    {
      what: 'three by a pill that was lost once after it got further',
      ends: 3,
      pills: ['k1'],
      tooMany: false,
    },
    { what: 'four by such a pill', ends: 4, pills: ['k1'], tooMany: true },
  ])('$what: too many is $tooMany', ({ ends, pills, tooMany }) => {
    expect(areTooMany(ends, pills)).toBe(tooMany);
  });
});
