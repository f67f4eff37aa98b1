import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { InvalidRequestError } from '../http/request-errors.js';
import { hashRequest, parseIdempotencyKey } from './idempotency-key.js';

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
