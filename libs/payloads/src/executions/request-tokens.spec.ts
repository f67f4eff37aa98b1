import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { requestTokensSchema } from './request-tokens.js';

const faultsOf = (tokens: unknown): string[] =>
  (requestTokensSchema.safeParse(tokens).error?.issues ?? []).map(({ path }) => path.join('.'));
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'x']));

describe('tokens of a request', () => {
  it.each([
    ['none', {}],
    ['the form of many services', { crm: 'Bearer eyJhbGciOi.J9_-~+/=', github_token_2: 'ghp_x' }],
    ['the longest name and secret', { ['a'.repeat(64)]: 'x'.repeat(8_192) }],
    ['as many as there may be', many(32)],
  ])('takes %s (S4-1)', (_case, tokens) => {
    expect(requestTokensSchema.parse(tokens)).toEqual(tokens);
  });

  it.each<[string, unknown, string]>([
    ['an empty secret', { crm: '' }, 'crm'],
    ['a blank one', { crm: ' ' }, 'crm'],
    ['a line break, which would begin another header', { crm: 'a\r\nX-Admin: 1' }, 'crm'],
    ['a line break at the end', { crm: 'a\n' }, 'crm'],
    ['a tab', { crm: 'a\tb' }, 'crm'],
    ['NUL', { crm: 'a\0b' }, 'crm'],
    ['what no header can carry', { crm: '秘密' }, 'crm'],
    ['spaces around', { crm: ' a' }, 'crm'],
    ['a secret that is too long', { crm: 'x'.repeat(8_193) }, 'crm'],
    ['a number', { crm: 7 }, 'crm'],
    ['a name that no template can name', { 'crm-token': 'x' }, 'crm-token'],
    ['an empty name', { '': 'x' }, ''],
    ['a name that is too long', { ['a'.repeat(65)]: 'x' }, 'a'.repeat(65)],
    ['too many', many(33), ''],
    ['a list', ['x'], ''],
  ])('refuses %s (S4-1)', (_case, tokens, path) => {
    expect(faultsOf(tokens)).toEqual([path]);
  });

  it('accept no line ends or header ends, and refuse a secret without showing it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (secret) => {
        const { success, error } = requestTokensSchema.safeParse({ crm: `canary${secret}` });
        expect(success).toBe(/^[\x20-\x7e]*[\x21-\x7e]$/.test(secret));
        expect(JSON.stringify(error?.issues ?? [])).not.toContain('canary');
      }),
    );
  });
});
