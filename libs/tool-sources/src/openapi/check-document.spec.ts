import { describe, expect, it } from '@jest/globals';
import type { JsonValue } from '#libs/kernel';
import { checkDocument } from './check-document.js';

const usable = { openapi: '3.0.0', paths: { '/a': { get: {} } } };
const check = (document: unknown) => checkDocument(JSON.stringify(document));

describe('a description that is written', () => {
  it('is good where one operation can be called; the others are named', () => {
    const paths = {
      '/a': { get: {} },
      '/b': { get: { parameters: 7 } },
      '/c': { post: { requestBody: {} } },
    };
    expect(check({ ...usable, paths })).toEqual({
      problems: [],
      warnings: [
        '#/paths/~1b/get/parameters: must be a list',
        '#/paths/~1c/post/requestBody: must have a content',
      ],
      operations: 1,
    });
  });

  it.each<[string, string, string]>([
    ['no text of a document', 'hello', '#: must be an object'],
    ['nothing', '', '#: must be JSON or YAML; the parser stopped'],
    ['a list', '[1]', '#: must be an object'],
    ['broken JSON', '{"openapi": ', '#: must be JSON or YAML; the parser stopped in line 1: '],
    [
      'broken YAML',
      'openapi: 3.0.0\npaths:\n\t- x',
      '#: must be JSON or YAML; the parser stopped in line 3: ',
    ],
    [
      'a key twice',
      'openapi: 3.0.0\npaths: {}\npaths: {}',
      '#: must be JSON or YAML; the parser stopped in line 3: ',
    ],
    ['of no version', '{"paths": {}}', '#: must say its version: '],
    ['of a version to come', 'openapi: 4.0.0', '#: must say its version: '],
    ['of a version as a number', 'openapi: 3.1', '#: must say its version: '],
    ['without paths', 'openapi: 3.1.0', '#/paths: must have at least one operation that can be called'],
    ['with paths that are none', 'openapi: 3.1.0\npaths: []', '#/paths: must be an object'],
    [
      'a number that JSON has not',
      'openapi: 3.1.0\npaths: {/a: {get: {x: .inf}}}',
      '#: must not have numbers that JSON cannot say',
    ],
    ['within itself', 'openapi: 3.1.0\npaths: &a\n  /a: *a', '#: must be nested at most 128 levels deep'],
    ['Swagger 2.0 of nothing', 'swagger: "2.0"\npaths: 7', ''],
  ])('is refused where it is %s', (_what, text, problem) => {
    const { problems, operations } = checkDocument(text);
    expect(operations).toBe(0);
    expect(problems[0]?.slice(0, problem.length)).toBe(problem);
  });

  it('names the file', () => {
    const files = { 'a.yaml': 'openapi: 3.0.0\npaths: {/a: {$ref: "b.yaml#/x"}}', 'b.yaml': 'y: 1' };
    expect(checkDocument({ root: 'a.yaml', files }).problems).toEqual([
      'a.yaml#/paths/~1a: has a $ref to "/x", which is not there',
    ]);
    const missing = { 'a.yaml': 'openapi: 3.0.0\npaths: {/a: {$ref: "../../etc/passwd"}}' };
    expect(checkDocument({ root: 'a.yaml', files: missing }).problems).toEqual([
      'a.yaml#/paths/~1a: has a $ref to the file "../../etc/passwd", which is not there',
    ]);
  });

  const repeated = (count: number, value: JsonValue): JsonValue[] =>
    Array.from({ length: count }, () => value);
  const levels = ['a: &a [1,1,1,1,1,1,1,1,1,1]'];
  for (const [name, before] of ['ba', 'cb', 'dc', 'ed', 'fe', 'gf', 'hg'].map((pair) => [...pair]))
    levels.push(`${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`);
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  it.each<[string, string, string]>([
    [
      'repeats itself without end',
      `openapi: 3.1.0\n${levels.join('\n')}`,
      'must have at most 2000000 values, aliases followed',
    ],
    [
      'repeats a long text',
      `openapi: 3.1.0\na: &a ${'x'.repeat(10_000)}\nb: [${Array.from({ length: 9_000 }, () => '*a').join(',')}]`,
      'must have at most 33554432 characters, aliases followed',
    ],
    ['is deeper than a stack', `{"openapi":"3.1.0","paths":${nested(200_000)}}`, 'must be '],
    [
      'is deeper than is read',
      `{"openapi":"3.1.0","paths":${nested(200)}}`,
      'must be nested at most 128 levels deep',
    ],
    [
      'is wider than is read',
      JSON.stringify({ ...usable, x: repeated(10_001, 0) }),
      'must have at most 10000 entries in one object or list',
    ],
    [
      'has more aliases than are followed',
      `openapi: 3.1.0\na: &a 1\nb: [${Array.from({ length: 10_001 }, () => '*a').join(',')}]`,
      'must be JSON or YAML',
    ],
  ])('is refused before anything is made of it where it %s', (_what, text, problem) => {
    expect(checkDocument(text)).toMatchObject({
      problems: [expect.stringContaining(problem)],
      operations: 0,
    });
  });

  it('with any number of faults names twenty', () => {
    const paths = Object.fromEntries(repeated(9_000, 0).map((_, at) => [`/p${at}`, { get: 7 }]));
    expect(check({ ...usable, paths }).problems).toHaveLength(20);
  });

  it('is good also where schemas are within themselves in every way', () => {
    const own = { $ref: '#/components/schemas/A' };
    const A = {
      allOf: [own],
      oneOf: [own],
      anyOf: [own],
      properties: { a: own },
      items: own,
      additionalProperties: own,
    };
    const content = { 'application/json': { schema: own } };
    const document = {
      openapi: '3.1.0',
      paths: { '/a': { post: { requestBody: { content } } } },
      components: { schemas: { A } },
    };
    expect(check(document)).toMatchObject({ problems: [], operations: 1 });
  });
});
