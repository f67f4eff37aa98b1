import { describe, expect, it } from '@jest/globals';
import { EXIT, EXIT_MEANINGS, exitCodeOf } from './exit-codes.js';

describe('exit codes', () => {
  it('tell how an execution ended', () => {
    const statuses = ['completed', 'failed', 'incomplete', 'cancelled', 'requires_action'] as const;
    expect(statuses.map((status) => exitCodeOf({ status }))).toEqual([0, 3, 4, 5, 6]);
  });

  it('are each explained once', () => {
    expect(EXIT_MEANINGS.map(([code]) => code)).toEqual(Object.values(EXIT));
  });
});
