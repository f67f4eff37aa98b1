import { describe, expect, it } from '@jest/globals';
import { endingBreakages, timeBreakages, timesOf } from './evaluate-rolling.js';
import type { RolledExecution, RollingWorld } from '../rolling-world.js';

const anExecution = (nth: number, tookMs: number): RolledExecution => ({
  id: `execution ${nth}`,
  acceptedAt: nth,
  tookMs,
  ending: 'completed',
  attempt: 1,
  lostAttempts: 0,
  charges: 1,
});

/** 20 executions before the load is warm, 50 before the first restart, 50 since, one of them with two attempts. */
function aWorld(overrides: Partial<RollingWorld> = {}): RollingWorld {
  const executions = Array.from({ length: 120 }, (_unused, nth) =>
    anExecution(nth, nth < 20 ? 9_000 : 1_000),
  );
  return {
    warmAt: 20,
    executions: executions.map((one, nth) => (nth === 80 ? { ...one, attempt: 2 } : one)),
    failedRequests: [],
    replacements: [{ at: 70, exitCode: 0, drainMs: 900 }],
    ...overrides,
  };
}

/** The same world with another last execution. */
function aWorldWhere(last: Partial<RolledExecution>): RollingWorld {
  const { executions } = aWorld();
  return aWorld({ executions: executions.map((one, nth) => (nth === 119 ? { ...one, ...last } : one)) });
}

describe('a rolling restart', () => {
  it('passes when all completes in the same time', () => {
    expect([...endingBreakages(aWorld()), ...timeBreakages(aWorld(), 2)]).toEqual([]);
    expect(timesOf(aWorld())).toMatchObject({ before: { count: 50 }, since: { count: 50 }, ratio: 1 });
  });

  it.each<[string, RollingWorld]>([
    ['failed', aWorldWhere({ ending: 'TOOL_OUTCOME_UNKNOWN' })],
    ['failed', aWorldWhere({ ending: 'queued', tookMs: null })],
    ['lost', aWorldWhere({ lostAttempts: 1, attempt: 2 })],
    ['doubled', aWorldWhere({ charges: 2 })],
    ['request', aWorld({ failedRequests: ['503'] })],
    ['exit', aWorld({ replacements: [{ at: 70, exitCode: null, drainMs: 1 }] })],
    ['vain', aWorld({ executions: aWorld().executions.map((one) => ({ ...one, attempt: 1 })) })],
  ])('fails for a violation: %s', (kind, world) => {
    expect(endingBreakages(world).map((breakage) => breakage.kind)).toEqual([kind]);
  });

  it('fails when more than one in twenty takes twice as long', () => {
    const slower = (share: number): RollingWorld =>
      aWorld({
        executions: aWorld().executions.map((one, nth) =>
          nth >= 120 - share ? { ...one, tookMs: 2_000 } : one,
        ),
      });
    expect(timeBreakages(slower(2), 2)).toEqual([]);
    expect(timeBreakages(slower(4), 2)).toMatchObject([{ kind: 'slow' }]);
  });

  it('is not judged by a few', () => {
    expect(timeBreakages(aWorld({ warmAt: 60 }), 2)).toMatchObject([{ kind: 'vain' }]);
  });
});
