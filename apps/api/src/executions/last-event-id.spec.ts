import { describe, expect, it } from '@jest/globals';
import { parseLastEventId } from './last-event-id.js';

describe('parseLastEventId', () => {
  it.each<[string | undefined, number | null]>([
    [undefined, null],
    ['', null],
    ['0', 0],
    ['17', 17],
    ['2147483647', 2_147_483_647],
  ])('reads %j as %j', (header, number) => expect(parseLastEventId(header)).toBe(number));

  it.each([['-1'], ['1.5'], ['abc'], ['2147483648'], [' 1'], ['1, 2'], ['1e3']])('refuses %j', (header) => {
    expect(() => parseLastEventId(header)).toThrow(
      'Last-Event-ID: must be the id of an event of this execution',
    );
  });
});
