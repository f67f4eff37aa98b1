import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { InvalidRequestError } from './request-errors.js';
import { RequestValidationPipe } from './request-validation.js';
import { createZodDto } from './zod-dto.js';

class Body extends createZodDto(
  z.strictObject({
    name: z.string().min(1).max(5),
    size: z.enum(['S', 'M']).optional(),
    'a/b~c': z.object({ list: z.array(z.int()).max(2) }).optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    flag: z.boolean().optional(),
  }),
) {}

const pipe = new RequestValidationPipe();
const asBody = (value: unknown): unknown => pipe.transform(value, { type: 'body', metatype: Body });
const asQuery = (value: unknown): unknown => pipe.transform(value, { type: 'query', metatype: Body });

function errorsOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.errors;
    throw error;
  }
  return [];
}

describe('RequestValidationPipe', () => {
  it('answers what the schema makes of the value', () =>
    expect(asBody({ name: 'a' })).toEqual({ name: 'a' }));

  it.each<[string, unknown, readonly unknown[]]>([
    ['no body', undefined, [{ pointer: '#/name', detail: 'is required' }]],
    ['null', null, [{ pointer: '#', detail: 'must be a JSON object' }]],
    ['a list', [], [{ pointer: '#', detail: 'must be a JSON object' }]],
    ['an empty text', { name: '' }, [{ pointer: '#/name', detail: 'must not be empty' }]],
    ['a long text', { name: 'abcdef' }, [{ pointer: '#/name', detail: 'must be at most 5 characters' }]],
    ['a number for a text', { name: 5 }, [{ pointer: '#/name', detail: 'must be a text' }]],
    ['no choice', { name: 'a', size: 'L' }, [{ pointer: '#/size', detail: 'must be one of S, M' }]],
    [
      'a list for an object',
      { name: 'a', options: [] },
      [{ pointer: '#/options', detail: 'must be a JSON object' }],
    ],
    [
      'a text for a flag',
      { name: 'a', flag: 'yes' },
      [{ pointer: '#/flag', detail: 'must be true or false' }],
    ],
    [
      'a deep place with odd names',
      { name: 'a', 'a/b~c': { list: [1, 'x'] } },
      [{ pointer: '#/a~1b~0c/list/1', detail: 'must be a number' }],
    ],
    [
      'a long list',
      { name: 'a', 'a/b~c': { list: [1, 2, 3] } },
      [{ pointer: '#/a~1b~0c/list', detail: 'must be at most 2 items' }],
    ],
    [
      'unknown fields',
      { name: 'a', nmae: 'b', 'x/y': 1 },
      [
        { pointer: '#/nmae', detail: 'is not a known field' },
        { pointer: '#/x~1y', detail: 'is not a known field' },
      ],
    ],
    [
      'several faults',
      { size: 1, flag: 0 },
      [
        { pointer: '#/name', detail: 'is required' },
        { pointer: '#/size', detail: 'must be one of S, M' },
        { pointer: '#/flag', detail: 'must be true or false' },
      ],
    ],
  ])('names every fault of a body with %s', (_name, body, errors) => {
    expect(errorsOf(() => asBody(body))).toEqual(errors);
  });

  it('names query parameters by name', () => {
    expect(errorsOf(() => asQuery({ nmae: 'x' }))).toEqual([
      { parameter: 'name', detail: 'is required' },
      { parameter: 'nmae', detail: 'is not a known parameter' },
    ]);
  });

  it('leaves what our own decorators answer alone', () => {
    expect(pipe.transform('tenant', { type: 'custom' })).toBe('tenant');
  });

  it('refuses to serve a parameter that has no schema', () => {
    expect(() => pipe.transform({}, { type: 'body', metatype: Object })).toThrow(
      'the body parameter has no schema',
    );
  });
});
