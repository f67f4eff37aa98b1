import { describe, expect, it } from '@jest/globals';
import { evaluateAnswer } from '../../../../examples/order-entry/capstan/domains/order-entry/sending/evaluate-answer.ts';
import {
  mayHaveOrder,
  type SendFault,
  type SendHistory,
} from '../../../../examples/order-entry/capstan/domains/order-entry/sending/send-fault.ts';

const FRESH: SendHistory = { tries: 0, isOutcomeUnknown: false };

describe('mayHaveOrder', () => {
  it.each<[string, SendHistory, number, SendFault['arrived'] | null, boolean]>([
    ['a first try that never left', FRESH, 1, 'nothing', false],
    ['a second one that never left', { ...FRESH, tries: 1 }, 2, 'nothing', false],
    ['a try whose answer is lost', FRESH, 1, 'perhaps', true],
    ['a try of which nothing is known', FRESH, 1, null, true],
    ['a try after one that died', FRESH, 2, 'nothing', true],
    ['a try after one whose answer was lost', { tries: 1, isOutcomeUnknown: true }, 2, 'nothing', true],
  ])('after %s', (_what, before, tryNumber, arrived, expected) => {
    expect(mayHaveOrder(before, tryNumber, arrived === null ? null : { arrived })).toBe(expected);
  });

  // 422 may mean that the key was used by an earlier try, which arrived.
  it.each<[string, SendHistory, number, boolean]>([
    ['of the first try', FRESH, 1, false],
    ['after tries that never left', { ...FRESH, tries: 2 }, 3, false],
    ['after a lost answer', { tries: 1, isOutcomeUnknown: true }, 2, true],
    ['after a try that died', FRESH, 2, true],
  ])('says of a refusal %s whether an earlier try may have arrived', (_what, before, tryNumber, expected) => {
    for (const status of [400, 422]) {
      const verdict = evaluateAnswer({ status, retryAfter: null, body: '' }, 0);
      expect(verdict.kind === 'refused' && mayHaveOrder(before, tryNumber, verdict.fault)).toBe(expected);
    }
  });
});
