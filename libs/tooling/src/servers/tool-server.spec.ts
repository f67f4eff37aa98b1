import { describe, expect, it } from '@jest/globals';
import { placeholdersOf } from './template-text.js';
import {
  toolOverridesSchema,
  toolServerConnectionSchema,
  toolServerLimitsSchema,
  toolServerNameSchema,
} from './tool-server.js';

const URL = 'https://tools.example.com/mcp';
const DOCUMENT = '{"openapi":"3.1.0"}';

/** Validation errors as `path: message`. */
function faultsOf(connection: unknown): string[] {
  const { error } = toolServerConnectionSchema.safeParse(connection);
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('toolServerConnectionSchema', () => {
  it.each([
    ['http', { url: URL }, { url: URL, headers_template: {} }],
    ['sse', { url: URL, headers_template: { Authorization: 'Bearer ${crm}' } }, undefined],
    ['stdio', { command: 'npx' }, { command: 'npx', args: [], env_template: {} }],
    [
      'openapi',
      { document: DOCUMENT },
      { document: DOCUMENT, headers_template: {}, query_template: {}, security: {} },
    ],
    ['openapi', { document: { files: { 'a.yaml': 'x', 'b/c.yaml': 'y' }, root: 'a.yaml' } }, undefined],
    ['builtin', {}, {}],
  ])('accepts %s %j', (type, config, read) => {
    const parsed = toolServerConnectionSchema.parse({ type, config });
    expect(parsed.config).toEqual(read ?? expect.objectContaining(config));
  });

  it.each([
    ['http', { url: 'ftp://a.example/' }, 'config.url: must be an http or https address'],
    ['http', { url: 'https://me:secret@a.example/' }, 'config.url: must be an http or https address without'],
    ['http', { url: 'https://a.example/${x}' }, 'config.url: must not have placeholders'],
    ['http', { url: URL, headers_template: { A: '${a b}' } }, 'config.headers_template.A: has a "${"'],
    ['http', { url: URL, headers_template: { A: '${' } }, 'config.headers_template.A: has a "${"'],
    ['http', { url: URL, headers_template: { A: '' } }, 'config.headers_template.A: must not be empty'],
    [
      'http',
      { url: URL, headers_template: { A: 'a\r\nB: c' } },
      'config.headers_template.A: must be printable',
    ],
    ['http', { url: URL, headers_template: { Host: 'a' } }, 'config.headers_template.Host: is no name'],
    ['http', { url: URL, headers_template: { 'A b': 'a' } }, 'config.headers_template.A b: is no name'],
    ['http', { url: URL, headers_template: { A: 'a', a: 'b' } }, 'config.headers_template: must not name'],
    ['http', { url: URL, query_template: {} }, 'config: Unrecognized key: "query_template"'],
    ['stdio', { command: '/bin/sh' }, 'config.command: must be the name of a command, not a path'],
    ['stdio', { command: 'npx', env_template: { 'A=B': 'x' } }, 'config.env_template.A=B: is no name'],
    ['openapi', {}, 'config.document: must be the text of a document'],
    ['openapi', { document: 'x'.repeat(16_777_217) }, 'config.document: must have at most 16777216 bytes'],
    ['openapi', { document: { files: { a: 'x' }, root: 'b' } }, 'config.document.root: must be one of'],
    [
      'openapi',
      { document: { files: { '../a': 'x' }, root: '../a' } },
      'config.document.files.../a: must be a rel',
    ],
    ['openapi', { document: DOCUMENT, base_url: 'nowhere' }, 'config.base_url: must be an http or https'],
    ['builtin', { url: URL }, 'config: '],
    ['carrier_pigeon', {}, 'type: '],
  ])('refuses %s %j', (type, config, fault) => {
    expect(faultsOf({ type, config }).join('; ')).toContain(fault);
  });
});

describe('the other fields of a server', () => {
  it.each(['crm', 'crm_2', 'a'.repeat(32)])('is called %s', (name) => {
    expect(toolServerNameSchema.safeParse(name).success).toBe(true);
  });

  it.each(['', 'CRM', '2crm', 'crm__eu', 'crm_', 'crm-eu', 'a'.repeat(33)])('is not called %j', (name) => {
    expect(toolServerNameSchema.safeParse(name).success).toBe(false);
  });

  it('knows three effects', () => {
    expect(toolOverridesSchema.safeParse({ 'a/b': { effect: 'read', approval: true } }).success).toBe(true);
    expect(toolOverridesSchema.safeParse({ a: { effect: 'harmless' } }).error?.issues).toMatchObject([
      { path: ['a', 'effect'], message: 'must be read, idempotent or unsafe' },
    ]);
  });

  it('has limits by default', () => {
    expect(toolServerLimitsSchema.parse({})).toEqual({ timeout_ms: 30_000, concurrency: 8 });
    expect(toolServerLimitsSchema.safeParse({ timeout_ms: 99 }).success).toBe(false);
  });
});

it('names the tokens of a template once each', () => {
  expect(placeholdersOf('${a} and ${b_2}, ${a} $c {d}')).toEqual(['a', 'b_2']);
});
