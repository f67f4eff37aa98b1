import { describe, expect, it } from '@jest/globals';
import { parseLastSession, whyEnded } from './ended-session.js';

const UNTIL = '2026-11-29T12:00:00.000Z';
const NOON = Date.parse(UNTIL);

describe('the last session of a browser', () => {
  it.each([
    ['', null],
    ['null', null],
    ['{"tenant":"a"}', null],
    ['{"tenant":"a","until":1}', null],
    [JSON.stringify({ tenant: 'a', until: UNTIL }), { tenant: 'a', until: UNTIL }],
  ])('is read from %j', (text, expected) => {
    expect(parseLastSession(text)).toEqual(expected);
  });

  it.each([
    ['nothing without one', null, NOON, null],
    ['that it expired', { tenant: 'a', until: UNTIL }, NOON, /expired/],
    ['that it was ended before', { tenant: 'a', until: UNTIL }, NOON - 1, /revoked/],
  ])('says %s', (_words, last, now, expected) => {
    const why = whyEnded(last, now);
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });
});
