import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';
import {
  describeApplied,
  hashRequest,
  parseIdempotencyKey,
  parseSubmitPreferences,
} from './submit-headers.js';

describe('parseIdempotencyKey', () => {
  it.each<[string | undefined, string | null]>([
    [undefined, null],
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"with spaces, and commas"', 'with spaces, and commas'],
    [String.raw`"a \"quoted\" \\ key"`, String.raw`a "quoted" \ key`],
    [`"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ['k'.repeat(255), 'k'.repeat(255)],
  ])('reads %j as %j', (header, key) => expect(parseIdempotencyKey(header)).toBe(key));

  it.each([
    [''],
    ['   '],
    ['""'],
    ['two words'],
    ['one,two'],
    ['"one", "two"'],
    ['"not closed'],
    ['inside"quotes'],
    [String.raw`"bad \escape"`],
    ['発注'],
    ['"caf\u00e9"'],
    ['k'.repeat(256)],
    [`"${'k'.repeat(256)}"`],
  ])('refuses %j and names the header', (header) => {
    const parse = (): unknown => parseIdempotencyKey(header);

    expect(parse).toThrow(InvalidRequestError);
    expect(parse).toThrow(/^Idempotency-Key: must be 1 to 255 /);
  });
});

describe('hashRequest', () => {
  it('does not depend on the order of fields, also of nested ones', () => {
    const one = hashRequest('POST /x', { a: { b: 1, c: [{ d: 1, e: 2 }] }, f: 'g' });
    const other = hashRequest('POST /x', { f: 'g', a: { c: [{ e: 2, d: 1 }], b: 1 } });

    expect(one).toBe(other);
    expect(one).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each<[string, string, JsonValue]>([
    ['another route', 'POST /y', { list: [1, 2] }],
    ['another value', 'POST /x', { list: [1, 3] }],
    ['another order of a list', 'POST /x', { list: [2, 1] }],
    ['a field more', 'POST /x', { list: [1, 2], more: null }],
    ['text for a number', 'POST /x', { list: ['1', 2] }],
  ])('differs for %s', (_name, route, body) => {
    expect(hashRequest(route, body)).not.toBe(hashRequest('POST /x', { list: [1, 2] }));
  });
});

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
