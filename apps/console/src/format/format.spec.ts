import { describe, expect, it } from '@jest/globals';
import { formatBytes, formatCost, formatTokens } from './amounts.js';
import { durationOf, formatDuration } from './durations.js';
import { isUuid, shortId } from './ids.js';
import { clockTime, relativeTime } from './times.js';

const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [340.4, '340 ms'],
    [1_449, '1.4 s'],
    [9_999, '9.9 s'],
    [59_999, '59 s'],
    [125_000, '2 min 05 s'],
    [3_780_000, '1 h 03 min'],
    [273_600_000, '3 d 4 h'],
  ])('render %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('run until now, or to the end, or are not there before the start', () => {
    expect(durationOf({ started_at: ago(3_000), finished_at: null }, NOW)).toBe(3_000);
    expect(durationOf({ started_at: ago(3_000), finished_at: ago(1_000) }, NOW)).toBe(2_000);
    expect(durationOf({ started_at: null, finished_at: null }, NOW)).toBeNull();
  });
});

describe('times', () => {
  it.each([
    [-900, 'just now'],
    [2_000, 'just now'],
    [42_000, '42 s ago'],
    [5 * 60_000, '5 min ago'],
    [30 * 3_600_000, '30 h ago'],
    [75 * 3_600_000, '3 d ago'],
    [-90_000, 'in 1 min'],
    [30 * 86_400_000, '2026-10-29'],
  ])('%d ms before now read %s', (ms, text) => {
    expect(relativeTime(ago(ms), NOW)).toBe(text);
  });

  it('have milliseconds for times of day, in the zone of the reader', () => {
    expect(clockTime(ago(0))).toMatch(/^\d\d:\d\d:00\.000$/);
  });

  it('show a text that is no time as it is', () => {
    expect(relativeTime('soon', NOW)).toBe('soon');
  });
});

describe('amounts', () => {
  it.each([
    [null, 'unknown'],
    [undefined, 'unknown'],
    ['', 'unknown'],
    ['0', '$0'],
    ['0.00131', '$0.0013'],
    ['0.25', '$0.25'],
    ['12.3456', '$12.35'],
    ['0.0000000004', '< $0.000001'],
  ])('the cost %p reads %s', (usd, text) => {
    expect(formatCost(usd)).toBe(text);
  });

  it('keep unknown tokens apart from none', () => {
    expect([formatTokens(null), formatTokens(0), formatTokens(8452)]).toEqual(['unknown', '0', '8,452']);
  });

  it('have the unit that fits for bytes', () => {
    expect([formatBytes(12), formatBytes(1_234), formatBytes(5_250_000)]).toEqual([
      '12 B',
      '1.2 kB',
      '5.3 MB',
    ]);
  });
});

describe('ids', () => {
  it('are cut to the part that differs', () => {
    expect(shortId('01a220af-e456-76c3-931f-9cf0aeeb8a68')).toBe('aeeb8a68');
    expect(shortId('12')).toBe('12');
  });

  it('are UUIDs or not', () => {
    expect([isUuid('01a220af-e456-76c3-931f-9cf0aeeb8a68'), isUuid('01a220af')]).toEqual([true, false]);
  });
});
