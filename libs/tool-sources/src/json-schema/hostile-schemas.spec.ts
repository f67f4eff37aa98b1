import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { AppError, type JsonObject } from '#libs/kernel';
import { countedTouches } from '../../../../test/support/hostile/counted-touches.js';
import { hostileCall, hostileRoot } from '../../../../test/support/hostile/hostile-schemas.js';
import { hostileSeed } from '../../../../test/support/hostile/hostile-seed.js';
import { compileForeignSchema } from './compile-foreign-schema.js';
import { mergeForms } from './merge-forms.js';
import { toOfferedSchema } from './offered-schema.js';

/** Maximum property reads in schema and arguments: each of the 150 000 steps of a validation reads a few. */
const MAX_TOUCHES = 3_000_000;
const FORMATS_OF_TEXTS = Object.entries(fullFormats).flatMap(([name, format]) =>
  typeof format === 'object' && 'type' in format && format.type === 'number' ? [] : [name],
);
/** Maximum characters of a schema offered to models. */
const MAX_OFFERED = 131_072;

/** The reader of a schema, or the error code of its rejection. */
function unlessRefused<Made>(make: () => Made): Made | string {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code;
  }
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('any hostile schema and arguments', () => {
  const options = hostileSeed({ daily: 30, all: 200 });

  it('are checked in a bounded number of steps', () => {
    fc.assert(
      fc.property(hostileCall, ({ schema, input }) => {
        const counted = countedTouches({ schema, input });
        const read = unlessRefused(() => compileForeignSchema(counted.value.schema));
        if (typeof read === 'string') return expect(read).toBe('TOOL_SCHEMA_INVALID');
        const answer = counted.within(MAX_TOUCHES, () => read(counted.value.input));
        if (!answer.success) expect(answer.reasons.length).toBeGreaterThan(0);
      }),
      options,
    );
  });

  it('are put together for models in a bounded number of steps, or refused', () => {
    fc.assert(
      fc.property(hostileRoot, (schema) => {
        const counted = countedTouches(schema);
        const offered = unlessRefused(() =>
          counted.within(MAX_TOUCHES, () => toOfferedSchema(counted.value)),
        );
        if (typeof offered === 'string') return expect(offered).toBe('TOOL_SCHEMA_INVALID');
        expect(JSON.stringify(offered).length).toBeLessThan(MAX_OFFERED);
      }),
      options,
    );
  });
});

const names = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, 1]));
const fields = (count: number, schema: boolean): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));
const items = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

describe('work that one step stood for', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'names of an object that many forms look at',
      { anyOf: Array.from({ length: 900 }, () => ({ additionalProperties: false })) },
      names(5_000),
    ],
    [
      'names of an object that many schemas count',
      { allOf: Array.from({ length: 900 }, () => ({ minProperties: 1 })) },
      names(5_000),
    ],
    [
      'fields of a schema whose first one does not fit',
      { contains: { properties: { ...fields(900, true), p0: false } } },
      items(20_000, { p0: 1 }) as unknown as JsonObject,
    ],
    [
      'schemas that are true',
      { items: { allOf: Array.from({ length: 5_000 }, () => true) } },
      items(20_000, 1) as unknown as JsonObject,
    ],
  ])('is counted: %s', (_name, judging, a) => {
    const schema = { type: 'object', properties: { a: judging } };
    const counted = countedTouches({ schema, input: { a } });
    const read = compileForeignSchema(counted.value.schema);
    expect(() => counted.within(MAX_TOUCHES, () => read(counted.value.input))).not.toThrow();
  });

  it('is not done: values that are allowed are written for the fault that is named, not for each', () => {
    const allowed = 'x'.repeat(30_000);
    const read = compileForeignSchema({
      type: 'object',
      properties: { a: { contains: { const: allowed } } },
    });
    const stringify = jest.spyOn(JSON, 'stringify');
    expect(read({ a: items(1_000, 1) }).success).toBe(false);
    expect(stringify.mock.calls.length).toBeLessThan(10);
  });

  it.each([...FORMATS_OF_TEXTS])('is bounded: characters that are held against the format %s', (format) => {
    // oxlint-disable-next-line typescript/unbound-method -- It is called with the expression below.
    const { test } = RegExp.prototype;
    let characters = 0;
    jest.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      characters += 16 + text.length;
      return test.call(this, text);
    });
    const forms = Array.from({ length: 500 }, () => ({ format }));
    const read = compileForeignSchema({ properties: { a: { items: { anyOf: forms } } } });
    for (const text of ['http://a/::::', 'a'.repeat(1_024), '2026-01-01T00:00:00Z', '1.1.1.1.']) {
      characters = 0;
      read({ a: items(20_000, text) });
      // A format check scans a text and its parts a few times.
      expect(characters).toBeLessThan(4 * 2 * 150_000);
    }
  });

  it('is not done: a URL is left to the server, since the expression for it takes quadratic time', () => {
    const read = compileForeignSchema({ properties: { a: { format: 'url' } } });
    expect(read({ a: 'no URL' })).toEqual({ success: true, data: { a: 'no URL' } });
  });

  it('is refused: a list of more types than there are', () => {
    const schema = { properties: { a: { type: Array.from({ length: 8 }, () => 'string') } } };
    expect(() => compileForeignSchema(schema)).toThrow('has a keyword of the wrong kind: type');
  });
});

describe('parts and forms that mean far more than they say', () => {
  it('name each form once', () => {
    const $defs: Record<string, JsonObject> = { d40: { oneOf: [{ required: ['a'] }, { required: ['b'] }] } };
    for (let level = 0; level < 40; level += 1) {
      const $ref = `#/$defs/d${level + 1}`;
      $defs[`d${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    const { losses } = mergeForms({ type: 'object', $defs, allOf: [{ $ref: '#/$defs/d0' }] });
    expect(losses).toEqual(['has 2 forms, which models are shown as one']);
  });

  it('are refused where a field would hold itself twice at every level', () => {
    const $defs: Record<string, JsonObject> = { d30: { properties: { a: { const: 0 } } } };
    for (let level = 0; level < 30; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` };
      const own = (at: number): JsonObject => ({
        allOf: [next, { properties: { a: { const: level * 2 + at } } }],
      });
      $defs[`d${level}`] = { anyOf: [own(1), own(2)] };
    }
    const schema = { type: 'object', $defs, allOf: [{ $ref: '#/$defs/d0' }] };
    expect(() => toOfferedSchema(schema)).toThrow(
      'the input schema means too many fields when its parts and forms are put together',
    );
  });
});
