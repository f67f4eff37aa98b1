import { describe, expect, it } from '@jest/globals';
import { logId } from './log-data.js';

const EXECUTION = '0190a000-0000-7000-8000-000000000001';

describe('logId', () => {
  it('is a UUID of version 8 (3.E-2)', () => {
    const ids = Array.from({ length: 500 }, (_, round) => logId(EXECUTION, `round/${round}`));
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !pattern.test(id))).toEqual([]);
  });

  it('gives the same place the same name for every caller', () => {
    expect(logId(EXECUTION, 'round/1')).toBe(logId(EXECUTION, 'round/1'));
  });

  it('names no two places of an execution the same, nor those of two executions', () => {
    const ids = new Set<string>();
    for (const execution of [EXECUTION, EXECUTION.replace(/1$/, '2')]) {
      for (let round = 1; round <= 1_000; round++) {
        ids.add(logId(execution, `round/${round}`)).add(logId(execution, `round/${round}/thought`));
        for (let position = 0; position < 30; position++)
          ids.add(logId(execution, `round/${round}/call/${position}`));
      }
    }
    expect(ids.size).toBe(2 * 1_000 * 32);
  });
});
