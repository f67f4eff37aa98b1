import { describe, expect, it } from '@jest/globals';
import { placeOf, type Stretch } from './layout.js';
import type { TimelineEntry } from './timeline-entry.js';
import { isWithin, moved, rangeBetween, timeAt, wholeRange, zoomedIn, zoomedOut } from './zoom.js';

/** An hour in which nothing ran between two stretches of a second. */
const FOLDED: readonly Stretch[] = [
  { from: 0, to: 1000, left: 0, width: 0.48, isFolded: false },
  { from: 1000, to: 3_601_000, left: 0.48, width: 0.04, isFolded: true },
  { from: 3_601_000, to: 3_602_000, left: 0.52, width: 0.48, isFolded: false },
];
const SECOND: readonly Stretch[] = [{ from: 0, to: 1000, left: 0, width: 1, isFolded: false }];
const WHOLE = { from: 0, to: 1000 };

describe('a time of the axis', () => {
  it.each([0, 0.1, 0.48, 0.5, 0.7, 1])('at %f is what is drawn there', (place) => {
    expect(placeOf(timeAt(place, FOLDED), FOLDED)).toBeCloseTo(place);
  });

  it('stays on the axis', () => {
    expect([timeAt(-1, SECOND), timeAt(7, SECOND), timeAt(0.5, [])]).toEqual([0, 1000, 0]);
  });
});

describe('a window of time', () => {
  it('is what was drawn over, from either side', () => {
    expect(rangeBetween(0.8, 0.2, SECOND)).toEqual({ from: 200, to: 800 });
    expect(rangeBetween(0.5, 0.501, SECOND)).toBeNull();
  });

  it('is halved, and doubled up to the whole', () => {
    expect(zoomedIn(SECOND)).toEqual({ from: 250, to: 750 });
    expect(zoomedOut({ from: 400, to: 600 }, WHOLE)).toEqual({ from: 300, to: 700 });
    expect(zoomedOut({ from: 0, to: 400 }, WHOLE)).toEqual({ from: 0, to: 600 });
    expect(zoomedOut({ from: 200, to: 800 }, WHOLE)).toBeNull();
  });

  it('is moved by half of itself, and stops at the ends', () => {
    expect(moved({ from: 200, to: 600 }, 1, WHOLE)).toEqual({ from: 400, to: 800 });
    expect(moved({ from: 500, to: 900 }, 1, WHOLE)).toEqual({ from: 600, to: 1000 });
    expect(moved({ from: 100, to: 500 }, -1, WHOLE)).toEqual({ from: 0, to: 400 });
  });

  it('holds what lies in it in part', () => {
    const entry = (startedAt: number, finishedAt: number | null) =>
      ({ startedAt, finishedAt }) as TimelineEntry;
    const range = { from: 100, to: 200 };
    const isIn = (from: number, to: number | null) => isWithin(entry(from, to), range);
    expect([
      isIn(0, 99),
      isIn(0, 100),
      isIn(150, 900),
      isIn(201, 300),
      isIn(0, null),
      isIn(201, null),
      isIn(300, 250),
    ]).toEqual([...[false, true, true, false, true, false, false]]);
    expect(wholeRange([entry(5, 9), entry(1, null)], 20)).toEqual({ from: 1, to: 20 });
  });
});
