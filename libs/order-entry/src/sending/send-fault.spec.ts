import { describe, expect, it } from '@jest/globals';
import { mayHaveOrder, type SendFault, type SendHistory } from './send-fault.js';

const FRESH: SendHistory = { tries: 0, isOutcomeUnknown: false };

describe('mayHaveOrder', () => {
  it.each<[string, SendHistory, number, SendFault['arrived'] | null, boolean]>([
    ['a first try that never left', FRESH, 1, 'nothing', false],
    ['a second one that never left', { ...FRESH, tries: 1 }, 2, 'nothing', false],
    ['a try whose answer is lost', FRESH, 1, 'perhaps', true],
    ['a try of which nothing is known', FRESH, 1, null, true],
    ['a try after one that died', FRESH, 2, 'nothing', true],
    ['a try after one whose answer was lost', { tries: 1, isOutcomeUnknown: true }, 2, 'nothing', true],
    ['a refusal', FRESH, 1, 'nothing_ever', false],
    ['a refusal after a lost answer', { tries: 1, isOutcomeUnknown: true }, 2, 'nothing_ever', false],
    ['a refusal after a try that died', FRESH, 3, 'nothing_ever', false],
  ])('after %s', (_what, before, tryNumber, arrived, expected) => {
    expect(mayHaveOrder(before, tryNumber, arrived === null ? null : { arrived })).toBe(expected);
  });
});
