import { describe, expect, it } from '@jest/globals';
import { progressLine, type PhaseProgress } from './progress.ts';

const phase = (name: string): { name: string; args: string[] } => ({ name, args: [] });
const STAGES = [[phase('processes'), phase('pure code')], [phase('integration')]];
const PAST = { processes: 300_000, 'pure code': 120_000, integration: 180_000 };
const begun = (more: Partial<PhaseProgress> = {}): PhaseProgress => ({
  ...{ startedAtMs: 0, files: 10, done: 0, failed: 0, hasEnded: false },
  ...more,
});

describe('the line of progress', () => {
  it.each([
    [
      'each phase that runs, and what is left of the longest, and of later stages',
      { processes: begun({ done: 3 }), 'pure code': begun({ files: null }) },
      60_000,
      'processes 3/10 · pure code 0/? · 0 failed · about 7 min left',
    ],
    [
      'failures of phases that have ended too',
      { processes: begun({ done: 9, failed: 1 }), 'pure code': begun({ failed: 2, hasEnded: true }) },
      250_000,
      'processes 9/10 · 3 failed · about 4 min left',
    ],
    [
      'less than a minute near the end, and when it takes longer than last time',
      {
        processes: begun({ hasEnded: true }),
        'pure code': begun({ hasEnded: true }),
        integration: begun({ done: 10 }),
      },
      999_000,
      'integration 10/10 · 0 failed · less than a minute left',
    ],
  ])('says %s', (_what, phases, nowMs, line) => {
    expect(progressLine({ stages: STAGES, phases: new Map(Object.entries(phases)), past: PAST, nowMs })).toBe(
      line,
    );
  });

  it('says so where no run has ended here before', () => {
    const phases = new Map([['processes', begun()]]);
    expect(progressLine({ stages: STAGES, phases, past: {}, nowMs: 5_000 })).toBe(
      'processes 0/10 · 0 failed · first run',
    );
  });
});
