import { expect, it } from '@jest/globals';
import { asksForStream } from './asks-for-stream.js';

const followed = { streamWhen: 'followed', timeoutMs: 300_000 } as const;

it.each([
  ['without the setting', { timeoutMs: 300_000 }, { isFollowed: false, remainingMs: 400_000 }, true],
  ['for a follower', followed, { isFollowed: true, remainingMs: 400_000 }, true],
  ['for nothing that follows', followed, { isFollowed: false, remainingMs: 400_000 }, false],
  ['where the deadline may come first', followed, { isFollowed: false, remainingMs: 300_000 }, true],
])('asksForStream: %s', (_case, settings, limits, expected) =>
  expect(asksForStream(settings, { ...limits, isLastTry: false })).toBe(expected),
);

it('asksForStream: a call without limits streams', () =>
  expect(asksForStream(followed, undefined)).toBe(true));
