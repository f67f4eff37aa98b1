import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { boundSchema } from '../json-schema/bound-schema.js';
import { LoadedService } from './loaded-service.js';

function argumentsOf(operation: JsonObject, schemas: JsonObject = {}, path = '/a'): JsonObject {
  const document = { openapi: '3.0.3', paths: { [path]: { post: operation } }, components: { schemas } };
  const loaded = new LoadedService(JSON.stringify(document));
  expect(loaded.service.faults).toEqual([]);
  const [found] = loaded.service.operations;
  if (found === undefined) throw new Error('there is no operation');
  return loaded.prepare(found).arguments.inputSchema;
}
const json = (schema: JsonObject, required = true): JsonObject => ({
  requestBody: { required, content: { 'application/json': { schema } } },
});
const bodyOf = (schema: JsonObject, schemas: JsonObject = {}): unknown =>
  argumentsOf(json({ type: 'object', properties: { it: schema } }), schemas)['properties'];

describe('the arguments of an operation (3.I-12)', () => {
  it('are its parameters by place, those of a path required, and the fields of its body', () => {
    const schema = argumentsOf(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Which', schema: { type: 'integer' } },
          { name: 'q', in: 'query', schema: { type: 'string', description: 'What' } },
          { name: 'lang', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'seen', in: 'cookie', content: { 'application/json': { schema: { type: 'object' } } } },
          ...['Accept', 'content-type', 'Authorization'].map((name) => ({ name, in: 'header', schema: {} })),
        ],
        ...json({
          type: 'object',
          required: ['note'],
          properties: { note: { type: 'string' }, of: { type: 'number' } },
        }),
      },
      {},
      '/a/{id}',
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer', description: 'Which (path parameter)' },
        q: { type: 'string', description: 'What (query parameter)' },
        lang: { type: 'string', description: '(header parameter)' },
        seen: { type: 'object', description: '(cookie parameter)' },
        note: { type: 'string' },
        of: { type: 'number' },
      },
      required: ['id', 'lang', 'note'],
      additionalProperties: false,
    });
  });

  it('have names that differ: what comes later says its place', () => {
    const parameters = ['path', 'query'].map((place) => ({
      name: 'id',
      in: place,
      required: place === 'path',
      schema: {},
    }));
    const body = json({ type: 'object', properties: { id: {}, body_id: {} } });
    const { properties } = argumentsOf({ parameters, ...body }, {}, '/a/{id}');
    expect(Object.keys(properties as JsonObject)).toEqual(['id', 'query_id', 'body_id', 'body_body_id']);
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'a list',
      json({ type: 'array', items: { type: 'string' } }),
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'an object of any fields',
      json({ type: 'object', additionalProperties: true }),
      { type: 'object', additionalProperties: true },
    ],
    [
      'text',
      { requestBody: { required: true, content: { 'text/plain': { schema: { type: 'string' } } } } },
      { type: 'string' },
    ],
    [
      'bytes',
      { requestBody: { required: true, content: { 'image/png': {} } } },
      { type: 'string', description: '(in base64)' },
    ],
  ])('are one, body, where that is %s', (_what, operation, body) => {
    const schema = argumentsOf(operation);
    expect(schema['properties']).toEqual({ body });
    expect(schema['required']).toEqual(['body']);
  });

  describe('are those of all forms of the body', () => {
    const form = (name: string, type: string): JsonObject => ({
      type: 'object',
      required: [name, 'kind'],
      properties: { [name]: { type }, kind: { const: name } },
    });
    const forms = [form('a', 'string'), { $ref: '#/components/schemas/B' }];
    const fields = {
      a: { type: 'string' },
      kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
      b: { type: 'integer' },
    };

    it.each<[string, JsonObject]>([
      ['in oneOf', { oneOf: forms }],
      ['in anyOf', { anyOf: forms }],
      ['in a part of allOf', { allOf: [{ oneOf: forms }] }],
      ['within a form', { oneOf: [forms[0] as JsonObject, { oneOf: [{ type: 'null' }, ...forms] }] }],
    ])('%s, required where every form wants it', (_where, body) => {
      const schema = argumentsOf(json(body), { B: form('b', 'integer') });
      expect(schema['properties']).toEqual(fields);
      expect(schema['required']).toEqual(['kind']);
      expect(schema['description']).toMatch(/^Give the fields of one form: a, kind/);
    });

    it('which may only say what is required of its fields', () => {
      const body = { ...form('c', 'string'), anyOf: [{ required: ['c'] }, { required: ['kind'] }] };
      expect(Object.keys(argumentsOf(json(body))['properties'] as object)).toEqual(['c', 'kind']);
    });

    it('beside its own fields', () => {
      const schema = argumentsOf(json({ ...form('c', 'string'), oneOf: forms }), { B: form('b', 'integer') });
      expect(Object.keys(schema['properties'] as object)).toEqual(['c', 'kind', 'a', 'b']);
    });

    it('as one argument where not all are objects', () => {
      const B = { type: 'array', items: { type: 'integer' } };
      const schema = argumentsOf(json({ oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/B' }] }), {
        B,
      });
      expect(schema['properties']).toEqual({ body: { anyOf: [{ type: 'string' }, B] } });
    });
  });

  it('need nothing of a body that may stay away', () => {
    const schema = argumentsOf(json({ type: 'object', required: ['a'], properties: { a: {} } }, false));
    expect(schema['required']).toBeUndefined();
  });

  it('may be further fields of the body where it says which', () => {
    const body = { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } };
    expect(argumentsOf(json(body))['additionalProperties']).toEqual({ type: 'string' });
  });

  it('leave out what only the server sets', () => {
    const note = { type: 'string', readOnly: true };
    expect(Object.keys(bodyOf({ properties: { note, a: {} }, required: ['note'] }) as object)).toEqual([
      'it',
    ]);
    expect(bodyOf({ properties: { note, a: {} }, required: ['note', 'a'] })).toEqual({
      it: { type: 'object', properties: { a: {} }, required: ['a'] },
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'allOf merged, also through references',
      {
        allOf: [{ $ref: '#/components/schemas/A' }, { properties: { b: {} }, required: ['b'] }],
        properties: { c: {} },
      },
      { type: 'object', properties: { a: { type: 'string' }, b: {}, c: {} }, required: ['a', 'b'] },
    ],
    ['of oneOf the first branch', { oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'string' }],
    [
      'of anyOf the first that is more than null',
      { anyOf: [{ type: 'null' }, { type: 'number' }] },
      { type: ['number', 'null'] },
    ],
    [
      'nullable of 3.0',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'limits of 3.0',
      { type: 'number', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { type: 'number', exclusiveMinimum: 1, maximum: 5 },
    ],
    [
      'nothing of what is no JSON Schema',
      { type: 'strin', minLength: '3', required: true, example: 1, 'x-a': 2, pattern: 'a' },
      { pattern: 'a' },
    ],
  ])('take %s', (_what, schema, written) => {
    const A = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const own = schema['required'] === true ? { ...schema, required: undefined } : schema;
    expect(bodyOf(own as JsonObject, { A })).toEqual({ it: written });
  });

  it('end where a schema is within itself, ten levels down', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    const text = JSON.stringify(bodyOf({ $ref: '#/components/schemas/Node' }, { Node }));
    expect(text.match(/"next"/g)).toHaveLength(10);
    expect(
      bodyOf(
        { allOf: [{ $ref: '#/components/schemas/Own' }] },
        { Own: { allOf: [{ $ref: '#/components/schemas/Own' }] } },
      ),
    ).toEqual({ it: {} });
  });

  it('are written out less deeply where they would be too large, and always fit what is compiled', () => {
    const wide = (of: string): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 20 }, (_, at) => [`${of}${at}`, { $ref: `#/components/schemas/${of}` }]),
      ),
    });
    const schema = argumentsOf(json(wide('B')), { B: wide('C'), C: wide('D'), D: { type: 'string' } });
    expect(() => boundSchema(schema)).not.toThrow();
    expect(JSON.stringify(schema)).toContain('"C19"');
    expect(JSON.stringify(schema)).not.toContain('"D19"');
  });
});
