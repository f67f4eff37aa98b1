import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { toJsonSchemaFormat } from './json-schema-format.js';

const schema = { type: 'object', properties: {} };

describe('toJsonSchemaFormat', () => {
  it.each<[string, JsonValue, object]>([
    ['text', JSON.stringify({ name: 'order', schema, strict: false }), { name: 'order', strict: false }],
    ['an object', { name: 'order', schema, strict: true }, { name: 'order', strict: true }],
    ['no name and no strict', { schema }, { name: 'structured_output', strict: true }],
    ['a blank name', { name: '  ', schema }, { name: 'structured_output', strict: true }],
    ['S1-41: a boolean-like strict', { schema, strict: '0' }, { name: 'structured_output', strict: false }],
  ])('S1-20: builds the format from %s', (_case, value, expected) =>
    expect(toJsonSchemaFormat(value)).toEqual({ type: 'json_schema', schema, ...expected }),
  );

  it.each<[string, JsonValue | undefined, string]>([
    ['S1-20: nothing', undefined, 'json_schema is required when response_format is json_schema'],
    ['S1-20: null', null, 'json_schema is required when response_format is json_schema'],
    ['S1-20: blank text', '  ', 'json_schema is required when response_format is json_schema'],
    ['S1-39: a list', '[]', 'json_schema must be a JSON object'],
    ['S1-39: a number', '12', 'json_schema must be a JSON object'],
    ['S1-39: a list itself', [], 'json_schema must be a JSON object'],
    ['S1-39: broken JSON', '{"schema":', 'json_schema must be valid JSON'],
    ['S1-40: no schema', '{}', "json_schema must include an object field named 'schema'"],
    ['S1-40: a list as schema', '{"schema":[]}', "json_schema must include an object field named 'schema'"],
    ['S1-41: strict null', { schema, strict: null }, 'json_schema.strict must be a boolean-like value'],
    ['S1-41: strict as a word', { schema, strict: 'yes' }, 'json_schema.strict must be a boolean-like value'],
  ])('refuses %s', (_case, value, message) => expect(() => toJsonSchemaFormat(value)).toThrow(message));

  it('does not quote what it could not parse', () => {
    expect(() => toJsonSchemaFormat('{canary-secret')).toThrow(/^(?!.*canary).*$/);
  });
});
