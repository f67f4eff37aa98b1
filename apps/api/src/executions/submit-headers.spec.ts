import { describe, expect, it } from '@jest/globals';
import { describeApplied, parsePreferences, parseSubmitPreferences } from './submit-headers.js';

describe('parseSubmitPreferences', () => {
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
  ])('reads %j as %j seconds', (header, seconds) =>
    expect(parseSubmitPreferences(header).waitSeconds).toBe(seconds),
  );

  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['wait=30', null],
    ['handling=lenient, wait=30', 'lenient'],
    ['wait=30,Handling="Lenient"', 'lenient'],
    ['wait=30, handling=strict', 'strict'],
    ['handling=strict, handling=lenient', 'strict'],
    ['wait=30, handling=kind', null],
    ['wait=30; handling=lenient', null],
  ])('reads %j as the handling %j', (header, handling) =>
    expect(parseSubmitPreferences(header).handling).toBe(handling),
  );

  it('are named as they were applied', () => {
    expect(describeApplied({ waitSeconds: 60, handling: null })).toBe('wait=60');
    expect(describeApplied({ waitSeconds: 30, handling: 'lenient' })).toBe('wait=30, handling=lenient');
  });
});

describe('parsePreferences', () => {
  it.each<[string | undefined, Record<string, string>]>([
    [undefined, {}],
    ['', {}],
    [',', {}],
    ['respond-async', { 'respond-async': '' }],
    ['wait=30, handling=lenient', { wait: '30', handling: 'lenient' }],
    ['Wait = 30 ,HANDLING="lenient"', { wait: '30', handling: 'lenient' }],
    ['wait=10, wait=20', { wait: '10' }],
    ['wait=10; strict=true, handling=strict;a="b, c"', { wait: '10', handling: 'strict' }],
    ['note="one, wait=5", wait=7', { note: 'one, wait=5', wait: '7' }],
    [String.raw`note="a \"quote\", wait=5", wait=7`, { note: 'a "quote", wait=5', wait: '7' }],
    ['note="never closed, wait=5', {}],
    ['"wait=10", handling=lenient', { handling: 'lenient' }],
    ['two words, wait=5', { wait: '5' }],
  ])('reads %j as %j', (header, preferences) => {
    expect(Object.fromEntries(parsePreferences(header))).toEqual(preferences);
  });
});
