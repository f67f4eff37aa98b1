import { describe, expect, it } from '@jest/globals';
import type { Execution } from '../../client/index.js';
import { decisionsOf } from './approve.js';

const WAITING = {
  required_action: {
    calls: [
      { call: '1.0', asks: 'approval', tool_name: 'charge', tool_input: {} },
      { call: '1.1', asks: 'outcome', tool_name: 'ship', tool_input: {} },
    ],
    expires_at: '2026-11-28T10:00:00Z',
  },
} as unknown as Execution;

describe('decisions of a command', () => {
  it.each([
    [{ all: true }, [{ call: '1.0', approved: true, reason: '' }]],
    [{ all: true, reject: true, reason: 'dear' }, [{ call: '1.0', approved: false, reason: 'dear' }]],
    [{ all: true, outcome: 'happened' as const }, [{ call: '1.1', outcome: 'happened', reason: '' }]],
    [
      { call: ['2.0', '2.1'] },
      [
        { call: '2.0', approved: true, reason: '' },
        { call: '2.1', approved: true, reason: '' },
      ],
    ],
  ])('%j are over the calls that it names', (options, decisions) => {
    expect(decisionsOf(WAITING, options)).toEqual(decisions);
  });

  it('are none where no call waits', () => {
    expect(() => decisionsOf({ required_action: null }, { all: true })).toThrow('No call waits for approval');
  });
});
