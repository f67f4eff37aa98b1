import { describe, expect, it } from '@jest/globals';
import type { ModelRequestRecord, TimeSpan } from '../ledgers/chaos-world.js';
import { checkWorld } from './check-world.js';
import { healthyWorld } from './healthy-world.js';

const TAIL = { from: 1_000, to: 1_150 };

/** The violations when the only round of `k2` was requested once more at each of these moments. */
function found(moments: readonly number[], lostTails: readonly TimeSpan[] = [TAIL]): string[] {
  const world = healthyWorld();
  const asked = world.modelRequests.filter(({ key }) => key === 'k2');
  const more = moments.flatMap((at) =>
    asked.map((one): ModelRequestRecord => ({ ...one, at, responseId: `forgotten-${at}` })),
  );
  const modelRequests = [...world.modelRequests, ...more];
  return checkWorld({ ...world, modelRequests, lostTails }).map(({ invariant }) => invariant);
}

describe('questions of an attempt that the database does not know', () => {
  it('is forgiven where the database crashed just after', () => {
    expect(found([1_100])).toEqual([]);
  });

  it('is asked too often, and unpaid, where nothing was lost', () => {
    expect(found([1_100], [])).toEqual(['I26', 'I28']);
  });

  it.each([999, 1_151])('is not forgiven at another time: %s', (at) => {
    expect(found([at])).toEqual(['I26', 'I28']);
  });

  it('is forgiven once for each crash', () => {
    expect(found([1_050, 1_100])).toEqual(['I26', 'I28']);
    expect(found([1_050, 1_175], [TAIL, { from: 1_151, to: 1_200 }])).toEqual([]);
  });

  it('is not forgiven where most moments are', () => {
    expect(found([1_100], [{ from: 1_000, to: 1_500 }])).toEqual(['I27']);
  });
});
