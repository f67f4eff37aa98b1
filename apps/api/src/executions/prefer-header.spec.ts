import { describe, expect, it } from '@jest/globals';
import { parsePreferredWait } from './prefer-header.js';

describe('parsePreferredWait', () => {
  it.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['wait=10', 10],
    ['WAIT=10', 10],
    ['wait="10"', 10],
    [' wait = 7 ', 7],
    ['respond-async, wait=10', 10],
    ['wait=10, wait=20', 10],
    ['wait=10; strict=true', 10],
    ['wait=60', 60],
    ['wait=61', 60],
    ['wait=999999999', 60],
    ['wait=0', null],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait=ten', null],
    ['wait', null],
    ['wait=', null],
    ['waiting=10', null],
    ['wait=99999999999999999999', null],
    ['respond-async', null],
    ['"wait=10"', null],
  ])('reads %j as %j', (header, seconds) => expect(parsePreferredWait(header)).toBe(seconds));
});
