import { describe, expect, it } from '@jest/globals';
import { isOutside, placeOf, rowsOf, spanOf, stretchesOf, type TimeRange } from './layout.js';
import type { TimelineEntry } from './timeline-entry.js';
import { timelineOf } from './timeline-of.js';

const NONE: ReadonlySet<string> = new Set();

const bar = (
  id: string,
  startedAt: number,
  finishedAt: number | null,
  more: Partial<TimelineEntry> = {},
): TimelineEntry => ({
  id,
  kind: 'model_call',
  parentId: null,
  label: id,
  detail: '',
  status: 'succeeded',
  startedAt,
  finishedAt,
  stepKey: null,
  madeBy: null,
  ...more,
});

const layoutOf = (
  entries: readonly TimelineEntry[],
  folded: ReadonlySet<string>,
  ...axis: [now: number, range?: TimeRange]
) => ({ rows: rowsOf(entries, folded), stretches: stretchesOf(entries, ...axis) });

const spansOf = ({ rows, stretches }: ReturnType<typeof layoutOf>, now = 0) =>
  rows.map(({ entry }) => spanOf(entry, stretches, now));

describe('the layout of a timeline', () => {
  it('is true to scale without gaps', () => {
    const layout = layoutOf([bar('a', 0, 250), bar('b', 250, 1000)], NONE, 9000);
    expect(layout.stretches).toEqual([{ from: 0, to: 1000, left: 0, width: 1, isFolded: false }]);
    expect(spansOf(layout).map(({ left, width }) => [left, width])).toEqual([
      [0, 0.25],
      [0.25, 0.75],
    ]);
  });

  it('folds a long gap in which nothing ran, and keeps the rest to scale', () => {
    const hour = 3_600_000;
    const layout = layoutOf([bar('a', 0, 1000), bar('b', hour, hour + 3000)], NONE, 0);
    expect(layout.stretches.map(({ isFolded }) => isFolded)).toEqual([false, true, false]);
    expect(
      spansOf(layout).map(({ left, width }) => [left, width].map((share) => Number(share.toFixed(2)))),
    ).toEqual([
      [0, 0.24],
      [0.28, 0.72],
    ]);
  });

  it('makes one stretch of many short gaps', () => {
    const bars = Array.from({ length: 500 }, (_, index) => bar(`b${index}`, index * 100, index * 100 + 50));
    expect(layoutOf(bars, NONE, 0).stretches).toHaveLength(1);
  });

  it('keeps a short gap', () => {
    expect(
      layoutOf([bar('a', 0, 1000), bar('b', 1900, 3000)], NONE, 0).stretches.some(({ isFolded }) => isFolded),
    ).toBe(false);
  });

  it('does not fold the time in which an attempt may have asked its model', () => {
    const attempt = bar('attempt', 0, 60_000, { kind: 'attempt' });
    const call = bar('call', 59_000, 60_000, { kind: 'tool_call' });
    expect(layoutOf([attempt, call], NONE, 0).stretches).toHaveLength(1);
  });

  it('never leaves the axis, however many gaps there are', () => {
    const bars = Array.from({ length: 200 }, (_, index) =>
      bar(`b${index}`, index * 100_000, index * 100_000 + 10),
    );
    const layout = layoutOf(bars, NONE, 0);
    const last = layout.stretches.at(-1);
    expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(1);
    expect(
      spansOf(layout).every(({ left, width }) => left >= 0 && width >= 0 && left + width <= 1.000001),
    ).toBe(true);
  });

  it('shows a window of time alone, with bars cut at its ends', () => {
    const bars = [bar('before', 0, 900), bar('across', 950, 2000), bar('inside', 1200, 1300)];
    const layout = layoutOf(bars.slice(1), NONE, 0, { from: 1000, to: 1500 });
    expect(layout.stretches).toEqual([{ from: 1000, to: 1500, left: 0, width: 1, isFolded: false }]);
    expect(spansOf(layout).map(({ left, width }) => [left, Number(width.toFixed(2))])).toEqual([
      [0, 1],
      [0.4, 0.2],
    ]);
    expect(bars.map((each) => isOutside(each, layout.stretches, 0))).toEqual([true, false, false]);
  });

  it('puts children below their parent in the order of their starts, and hides them where it is folded', () => {
    const entries = [
      bar('parent', 0, 100),
      bar('late', 50, 60, { parentId: 'parent' }),
      bar('early', 10, 20, { parentId: 'parent' }),
      bar('other', 5, 10),
    ];
    expect(layoutOf(entries, NONE, 0).rows.map(({ entry, depth }) => `${depth} ${entry.id}`)).toEqual([
      '0 parent',
      '1 early',
      '1 late',
      '0 other',
    ]);
    expect(layoutOf(entries, new Set(['parent']), 0).rows.map(({ entry }) => entry.id)).toEqual([
      'parent',
      'other',
    ]);
  });

  it('shows a child whose parent is not read yet', () => {
    expect(layoutOf([bar('child', 0, 1, { parentId: 'elsewhere' })], NONE, 0).rows).toHaveLength(1);
  });

  it('draws what goes on up to now, and nothing without entries', () => {
    expect(spansOf(layoutOf([bar('a', 0, null)], NONE, 500), 500)[0]?.width).toBe(1);
    expect(layoutOf([], NONE, 0)).toEqual({ rows: [], stretches: [] });
    expect(placeOf(5, [])).toBe(0);
  });
});

describe('a recorded timeline', () => {
  it('names each kind of entry', () => {
    const common = { scope: '', parent_id: null, started_at: '2026-11-28T12:00:00.000Z', finished_at: null };
    const call = { ...common, kind: 'tool_call', call: '1.0', call_id: 'c', round: 1, position: 0 } as const;
    const run = { effect: 'unsafe', attempt: 1, step: null } as const;
    const tokens = { input_tokens: 9, cached_input_tokens: 0, output_tokens: 1200 };
    const entries = timelineOf([
      { ...common, id: '1', kind: 'attempt', status: 'ended', number: 1, worker: 'w-1', end_reason: 'lost' },
      {
        ...{
          ...common,
          ...tokens,
          id: '2',
          kind: 'model_call',
          status: 'succeeded',
          purpose: 'round',
          round: 2,
        },
        ...{ try_number: 3, model: 'm', cost_usd: null, first_byte_ms: null, error_code: null },
      },
      { ...call, ...run, id: '3', status: 'outcome_unknown', tool_name: 'pay' },
      {
        ...{ ...common, id: '4', kind: 'approval', status: 'decided', call: '1.0', asks: 'approval' },
        ...{ decision: 'approved', decided_by: null, expires_at: null },
      },
      { ...call, ...run, id: '5', status: 'requested', tool_name: 'later', started_at: null },
      {
        ...call,
        ...run,
        id: '6',
        status: 'succeeded',
        tool_name: 'draft',
        call_id: 'draft#2',
        step: 'draft',
      },
      { ...call, ...run, id: '7', status: 'succeeded', tool_name: 'search', call_id: 'find', step: 'find' },
      {
        ...{ ...common, id: '8', kind: 'model_switch', status: 'switched', round: 1, model: 'small' },
        ...{ reason: 'unavailable', finished_at: '2026-11-28T12:00:00.000Z' },
      },
    ]);
    expect(entries.map(({ label, detail, status }) => [label, detail, status])).toEqual([
      ['Attempt 1', 'w-1 · lost', 'failed'],
      ['Round 2, try 3', 'm · 1,200 tokens out', 'succeeded'],
      ['pay', '', 'unknown'],
      ['Approval', 'approved', 'succeeded'],
      ['draft#2', '', 'succeeded'],
      ['find', 'search', 'succeeded'],
      ['Fallback: small', 'the model before it failed in all tries', 'succeeded'],
    ]);
    expect(entries.map(({ madeBy }) => madeBy?.name)).toEqual([
      ...[undefined, undefined, undefined, undefined, 'draft', 'find', undefined],
    ]);
  });
});
