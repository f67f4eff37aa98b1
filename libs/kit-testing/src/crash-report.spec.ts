import { describe, expect, it } from '@jest/globals';
import type { ToolEffect } from '#libs/kit';
import { reportCrashes, type CrashedRun, type FinishedRun } from './crash-report.js';

const COMPLETED = { status: 'completed', text: 'Done.' } as const;

function seen(key: string, ...effects: unknown[]) {
  return { key, tool: 'charge', input: { amount: 3 }, effects };
}

function finished(runs: FinishedRun['runs'], unknown: FinishedRun['unknown'] = []): FinishedRun {
  return { outcome: COMPLETED, runs, unknown };
}

function crashed(runs: FinishedRun['runs'], unknown: FinishedRun['unknown'] = []): CrashedRun {
  return { ...finished(runs, unknown), crash: 'before commit 2' };
}

function report(effect: ToolEffect, calm: FinishedRun, ...runs: CrashedRun[]) {
  return reportCrashes([{ name: 'charge', effect }], calm, runs);
}

describe('report of crashes', () => {
  it('names an idempotent tool whose second run adds an effect', () => {
    const { tools, faults } = report(
      'idempotent',
      finished([seen('a', 'paid 3')]),
      crashed([seen('a', 'paid 3'), seen('a', 'paid 3')]),
    );
    expect(tools['charge']).toMatchObject({
      effects: 1,
      repeated: 1,
      twice: [{ crash: 'before commit 2', input: { amount: 3 }, effects: ['paid 3'] }],
    });
    expect(faults).toEqual([
      'the tool "charge" is declared `idempotent`, and a call that ran again after a crash before commit 2 had its ' +
        'effect twice: paid 3; pass `idempotencyKey` on, or declare it `unsafe`',
    ]);
  });

  it('accepts an idempotent tool whose second run adds none', () => {
    const { tools, faults } = report(
      'idempotent',
      finished([seen('a', 'paid 3')]),
      crashed([seen('a', 'paid 3'), seen('a')]),
    );
    expect(tools['charge']).toMatchObject({ repeated: 1, twice: [] });
    expect(faults).toEqual([]);
  });

  it('counts equal effects of two calls as two', () => {
    const runs = [seen('a', 'paid 3'), seen('b', 'paid 3')];
    expect(report('idempotent', finished(runs), crashed(runs)).tools['charge']).toMatchObject({
      effects: 2,
      repeated: 0,
      twice: [],
    });
  });

  it('names a read that has an effect, even if no crash doubled it', () => {
    expect(report('read', finished([seen('a', { id: 1 })])).faults).toEqual([
      'the tool "charge" is declared `read`, and a call has an effect: {"id":1}',
    ]);
  });

  it('lists calls in doubt, with the effects that had happened', () => {
    const doubt = { tool: 'charge', key: 'a', input: { amount: 3 } };
    const failed = { status: 'failed', error: { code: 'TOOL_OUTCOME_UNKNOWN', message: 'x' } } as const;
    const { tools, outcomes } = report(
      'unsafe',
      finished([seen('a', 'paid 3')]),
      { ...crashed([seen('a', 'paid 3')], [doubt]), outcome: failed },
      crashed([], [doubt]),
    );
    expect(tools['charge']?.unknown.map(({ effects }) => effects)).toEqual([['paid 3'], []]);
    expect(outcomes).toEqual({ failed: 1, completed: 1 });
  });
});
