import { describe, expect, it } from '@jest/globals';
import { admit, afterFailure, afterNothing, CLOSED, type BreakerState } from './breaker-state.js';

const closed = (failures: number): BreakerState => ({ kind: 'closed', failures });
const open = (until: number, openings = 1): BreakerState => ({ kind: 'open', until, openings });
const probing = (since: number, openings = 1): BreakerState => ({ kind: 'probing', since, openings });

describe('a breaker', () => {
  it.each<[string, BreakerState, number, object]>([
    ['lets everybody through while it is closed', closed(4), 0, { kind: 'admitted', isProbe: false }],
    ['refuses while it is open', open(100), 40, { kind: 'refused', retryAfterMs: 60 }],
    [
      'lets one try when its pause is over',
      open(100),
      100,
      { kind: 'admitted', isProbe: true, state: probing(100) },
    ],
    ['refuses beside a probe', probing(0), 1_000, { kind: 'refused', retryAfterMs: 5_000 }],
    [
      'lets another try beside a probe that takes long',
      probing(0, 3),
      15_000,
      { kind: 'admitted', isProbe: true, state: probing(15_000, 3) },
    ],
  ])('%s', (_case, state, now, expected) => expect(admit(state, now)).toMatchObject(expected));

  it.each<[string, BreakerState, boolean, BreakerState]>([
    ['counts', CLOSED, false, closed(1)],
    ['opens at the fifth in a row', closed(4), false, open(5_000)],
    ['stays as it is after a call that was under way', open(300, 2), false, open(300, 2)],
    ['waits longer after a probe', probing(0), true, open(10_000, 2)],
    ['never waits longer than 30 s', probing(0, 9), true, open(30_000, 10)],
  ])('after a failure: %s', (_case, state, isProbe, expected) =>
    expect(afterFailure(state, isProbe, 0)).toEqual(expected),
  );

  it('lets the next one try at once when a probe was given up', () => {
    expect(afterNothing(probing(0, 3), true, 7)).toEqual(open(7, 3));
    expect(afterNothing(closed(2), false, 7)).toEqual(closed(2));
    expect(afterNothing(open(9), true, 7)).toEqual(open(9));
  });
});
