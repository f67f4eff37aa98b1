import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { destinationOf, findNulls, restoreLiterals, splitLiterals } from './template-literals.js';

const URL = 'https://a.example/mcp';

describe('the literals of a configuration', () => {
  const config = {
    url: URL,
    headers_template: { Authorization: 'Bearer sk-secret', 'X-User': 'for ${user}', 'X-Plan': 'gold' },
  };

  it('are taken out whole, and nothing else', () => {
    const { open, literals } = splitLiterals({ config });
    expect(open).toEqual({
      url: URL,
      headers_template: { Authorization: null, 'X-User': 'for ${user}', 'X-Plan': null },
    });
    expect(JSON.stringify(open)).not.toContain('secret');
    expect(literals).toEqual({ headers_template: { Authorization: 'Bearer sk-secret', 'X-Plan': 'gold' } });
    expect(restoreLiterals(open, literals)).toEqual(config);
  });

  it.each<[string, JsonObject]>([
    ['query_template', { query_template: { key: 'x' } }],
    ['env_template', { env_template: { KEY: 'x' } }],
    ['security', { security: { basic: 'x' } }],
  ])('are taken out of %s as well', (field, part) => {
    expect(splitLiterals({ config: part as never }).literals).toHaveProperty(field);
  });

  it('are the proofs of an OAuth client, of any form, and nothing else', () => {
    const auth = { grant: 'client_credentials', client_id: 'us', client_secret: '${a} secret', scope: 'a' };
    const { open, literals } = splitLiterals({ config: { url: URL, auth } as never });
    expect(open).toEqual({ url: URL, auth: { ...auth, client_secret: null } });
    expect(restoreLiterals(open, literals)).toEqual({ url: URL, auth });
    expect(findNulls({ auth: { client_secret: null, private_key: null, scope: null } })).toEqual([
      ['auth', 'client_secret'],
      ['auth', 'private_key'],
    ]);
  });

  it('stay null if they are unknown', () => {
    const open = { url: URL, headers_template: { A: null, constructor: null, B: '${b}' } };
    expect(restoreLiterals(open, { headers_template: {} })).toEqual(open);
    expect(findNulls(open)).toEqual([
      ['headers_template', 'A'],
      ['headers_template', 'constructor'],
    ]);
  });
});

describe('destinationOf', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['http', { url: URL }, { url: 'https://a.example/other' }],
    ['openapi', { base_url: URL, document: 'a' }, { base_url: URL, document: 'b' }],
  ])('%s stays the same within one host', (type, before, after) => {
    expect(destinationOf(type, after)).toBe(destinationOf(type, before));
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['http', { url: URL }, { url: 'https://b.example/mcp' }],
    ['sse', { url: URL }, { url: 'https://a.example:8443/mcp' }],
    ['http', { url: URL }, { url: 'http://a.example/mcp' }],
    ['http', { url: URL }, { url: 'https://a.example@b.example/mcp' }],
    ['http', { url: URL, auth: { issuer: URL } }, { url: URL, auth: { issuer: `${URL}/other` } }],
    ['openapi', { base_url: URL }, { base_url: URL, auth: { issuer: URL } }],
    ['openapi', { document: 'a' }, { document: 'b' }],
    ['openapi', { document: 'a' }, { document: 'a', base_url: URL }],
    ['stdio', { command: 'npx', args: ['a'] }, { command: 'npx', args: ['b'] }],
  ])('%s: %j and %j are two', (type, before, after) => {
    expect(destinationOf(type, after)).not.toBe(destinationOf(type, before));
  });
});
