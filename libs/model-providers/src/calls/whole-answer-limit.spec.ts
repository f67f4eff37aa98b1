import { expect, it } from '@jest/globals';
import { wholeAnswerLimit } from './whole-answer-limit.js';

const followed = { streamWhen: 'followed', timeoutMs: 300_000 } as const;
const impatient = { streamWhen: 'followed', timeoutMs: 5_000 } as const;

it.each([
  ['no limit without the setting', { timeoutMs: 300_000 }, false, 700_000, false, null],
  ['no limit for a follower', followed, true, 700_000, false, null],
  ['as configured while there is time', followed, false, 700_000, false, 300_000],
  ['half of what is left, so that a retry fits', followed, false, 299_999, false, 149_999],
  ['no limit where too little is left', followed, false, 59_999, false, null],
  ['half of the least', followed, false, 60_000, false, 30_000],
  ['as configured, however short', impatient, false, 10_000, false, 5_000],
  ['no limit where half is shorter than that', impatient, false, 9_998, false, null],
  ['as configured for the last try', followed, false, 300_001, true, 300_000],
  ['no limit for a last try that the deadline may end', followed, false, 300_000, true, null],
])('wholeAnswerLimit: %s', (_case, settings, isFollowed, remainingMs, isLastTry, expected) =>
  expect(wholeAnswerLimit(settings, { isFollowed, remainingMs, isLastTry })).toBe(expected),
);

it('wholeAnswerLimit: no limit for a call without limits', () =>
  expect(wholeAnswerLimit(followed, undefined)).toBeNull());
