import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '#libs/kernel';
import { compileForeignSchema } from '../json-schema/compile-foreign-schema.js';
import { buildRequest } from './build-request.js';
import { checkDocument } from './check-document.js';
import { LoadedService } from './loaded-service.js';

/** Keywords of descriptions, placed both validly and at random. */
const KEYS = [
  ...['openapi', 'swagger', 'paths', '/a', '/a/{id}', 'get', 'post', 'parameters', 'requestBody', 'content'],
  ...[
    'application/json',
    'multipart/form-data',
    'schema',
    'type',
    'properties',
    'allOf',
    'oneOf',
    'items',
    '$ref',
  ],
  ...[
    'components',
    'schemas',
    'A',
    'servers',
    'url',
    'security',
    'in',
    'name',
    '__proto__',
    'required',
    'enum',
  ],
];
const leaf = fc.oneof(
  fc.constantFrom(
    '3.0.0',
    '3.1.0',
    '2.0',
    '#/components/schemas/A',
    '#',
    '#/%',
    'query',
    'path',
    'string',
    'object',
  ),
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { anything } = fc.letrec<{ anything: JsonValue }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'medium' },
    leaf,
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('anything'), { maxKeys: 6 }),
  ),
}));
const operation = fc.record(
  {
    parameters: anything,
    requestBody: anything,
    security: anything,
    servers: anything,
    operationId: anything,
  },
  { requiredKeys: [] },
);
const item = fc.dictionary(
  fc.constantFrom('get', 'post', 'put', 'parameters', '$ref'),
  fc.oneof(operation, anything),
);
const description = fc.record({
  version: fc.constantFrom({ openapi: '3.0.0' }, { openapi: '3.1.0' }, { swagger: '2.0' }),
  paths: fc.oneof(fc.dictionary(fc.constantFrom('/a', '/a/{id}', 'b'), fc.oneof(item, anything)), anything),
  components: fc.oneof(fc.record({ schemas: fc.dictionary(fc.constantFrom('A', 'B'), anything) }), anything),
});

describe('any description', () => {
  it('is good for something, or refused in words that say where and why; its schemas can be compiled', () => {
    fc.assert(
      fc.property(description, ({ version, ...parts }) => {
        const text = JSON.stringify({ ...version, ...parts });
        const { problems, operations } = checkDocument(text);
        expect(problems.length > 0).toBe(operations === 0);
        for (const problem of problems) expect(problem).toMatch(/^(#|[A-Z]+ \/).*: ./s);
        if (operations === 0) return;
        const loaded = new LoadedService(text);
        for (const found of loaded.service.operations) {
          const made = prepared(() => loaded.prepare(found).arguments.inputSchema);
          if (made !== null) compileForeignSchema(made);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function prepared(make: () => JsonObject): JsonObject | null {
  try {
    return make();
  } catch (error) {
    expect(error).toHaveProperty('name', 'DocumentFault');
    return null;
  }
}

/** Excludes the separators of styles, which those styles cannot escape. */
const word = fc.string({
  unit: fc.constantFrom(...['a', 'b', 'Z', '0', '9'], 'ü', '/', '?', '&', '=', '%', '#', '+', '"'),
  minLength: 1,
  maxLength: 8,
});
const list = fc.array(word, { minLength: 1, maxLength: 4 });
const fields = fc.dictionary(
  word.filter((name) => !/^\d+$/.test(name)),
  word,
  { minKeys: 1, maxKeys: 3 },
);

type Read = (query: string) => unknown;
const decode = (text: string): string => decodeURIComponent(text);
const pairs = (query: string): string[][] => query.split('&').map((pair) => pair.split('='));
const byTwo = (texts: string[]): JsonObject =>
  Object.fromEntries(texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? '']] : [])));
const joinedBy =
  (between: string) =>
  (query: string): string[] =>
    (query.split('=')[1] ?? '').split(between).map(decode);

const STYLES: readonly [string, JsonObject, fc.Arbitrary<JsonValue>, Read][] = [
  ['form, one', {}, word, (query) => new URLSearchParams(query).get('p')],
  ['form, list', {}, list, (query) => new URLSearchParams(query).getAll('p')],
  ['form, fields', {}, fields, (query) => byTwo(pairs(query).flat().map(decode))],
  ['form, list in one', { explode: false }, list, joinedBy(',')],
  ['form, fields in one', { explode: false }, fields, (query) => byTwo(joinedBy(',')(query))],
  ['spaceDelimited', { style: 'spaceDelimited' }, list, joinedBy('%20')],
  ['pipeDelimited', { style: 'pipeDelimited' }, list, joinedBy('%7C')],
  [
    'deepObject',
    { style: 'deepObject' },
    fields,
    (query) =>
      Object.fromEntries(
        pairs(query).map(([name = '', value = '']) => [decode(name.slice(2, -1)), decode(value)]),
      ),
  ],
];

describe('any value of a query', () => {
  it.each(STYLES)('comes as it was given: %s', (_name, writing, values, read) => {
    const parameters = [{ name: 'p', in: 'query', schema: {}, ...writing }];
    const document = { openapi: '3.1.0', paths: { '/a': { get: { parameters } } } };
    const loaded = new LoadedService(JSON.stringify(document));
    const [found] = loaded.service.operations;
    if (found === undefined) throw new Error('there is no operation');
    const credentials = { headers: {}, query: {}, env: {}, security: {}, missing: [] };
    const called = { baseUrl: 'http://api.test', schemes: new Map(), credentials };
    fc.assert(
      fc.property(values, (value) => {
        const built = buildRequest(found, loaded.prepare(found).arguments, { p: value }, called, 'key');
        if (built.kind !== 'request') throw new Error(built.text);
        expect(read(new URL(built.request.url).search.slice(1))).toEqual(value);
      }),
      { numRuns: 100 },
    );
  });
});
