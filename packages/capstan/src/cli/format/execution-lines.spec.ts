import { describe, expect, it } from '@jest/globals';
import type { Execution } from '../../client/index.js';
import { durationOf, endLines } from './execution-lines.js';

const linesOf = (fields: object): string[] =>
  endLines({ id: 'e1', result: null, ...fields } as unknown as Execution);

describe('the end of an execution', () => {
  it.each([
    [{ status: 'completed', result: { message: { content: 'Done.' } } }, ['Done.']],
    [
      { status: 'failed', error: { code: 'SDK_ERROR', message: 'away' } },
      ['Execution e1 failed: away (SDK_ERROR)'],
    ],
    [
      { status: 'incomplete', incomplete_details: { reason: 'budget' } },
      ['Execution e1 ended at a limit: budget.'],
    ],
    [{ status: 'cancelled' }, ['Execution e1 was cancelled.']],
    [{ status: 'running' }, ['Execution e1 is running.']],
  ])('is said in words', (fields, lines) => {
    expect(linesOf(fields)).toEqual(lines);
  });

  it('shows the exact input of a call that waits', () => {
    const calls = [{ call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: { eur: 5 } }];
    expect(linesOf({ status: 'requires_action', required_action: { calls } })).toEqual([
      'Execution e1 waits for a person:',
      '  1.0  charge asks to be allowed',
      '    {',
      '      "eur": 5',
      '    }',
    ]);
  });

  it.each([
    ['2026-11-28T10:00:00.000Z', '2026-11-28T10:00:00.450Z', '450 ms'],
    ['2026-11-28T10:00:00.000Z', '2026-11-28T10:00:12.340Z', '12.3 s'],
    ['2026-11-28T10:00:00.000Z', '2026-11-28T10:04:05.000Z', '4 min 5 s'],
    ['2026-11-28T10:00:00.000Z', null, null],
  ])('took its time from %s to %s', (from, to, duration) => {
    expect(durationOf(from, to)).toBe(duration);
  });
});
