import { describe, expect, it } from '@jest/globals';
import { limitFailureLog } from './event-stream-log.js';

describe('limitFailureLog', () => {
  it('writes each message once in ten seconds and reports how many it left out', () => {
    let now = 0;
    const lines: unknown[] = [];
    const log = limitFailureLog((message, details) => lines.push([message, details]), {
      monotonic: () => now,
    });

    for (now = 0; now < 10_000; now += 1_000) log('lost', new Error('refused'));
    log('idle', new AggregateError([new Error('refused v6'), new Error('refused v4')], ''));
    log('lost', 'a text');

    expect(lines).toEqual([
      ['lost', { reason: 'refused', suppressed: 0 }],
      ['idle', { reason: 'refused v6; refused v4', suppressed: 0 }],
      ['lost', { reason: 'a text', suppressed: 9 }],
    ]);
  });
});
