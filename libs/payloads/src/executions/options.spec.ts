import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { loopParametersSchema, mergeOptions } from './loop-parameters.js';
import { findFormatFaults, optionsSchema } from './options.js';

const faultsOf = (options: JsonObject): string[] =>
  optionsSchema.safeParse(options).error?.issues.map((issue) => issue.path.join('.')) ?? [];

describe('options', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    ['what nobody knows', { colour: 'red', top_k: 5 }, []],
    ['flags in every form (S1-42)', { enable_stream: '1', parallel_tool_calls: ' False ' }, []],
    ['parameters that count as not given', { temperature: null, verbosity: '', max_tokens: null }, []],
    ['a schema that another layer may bring', { response_format: 'json_schema' }, []],
    [
      'flags that are none',
      { enable_stream: 'yes', parallel_tool_calls: null },
      ['enable_stream', 'parallel_tool_calls'],
    ],
    [
      'numbers out of range',
      { temperature: 3, top_p: -1, max_output_tokens: 0 },
      ['max_output_tokens', 'temperature', 'top_p'],
    ],
    ['another name of a parameter', { max_tokens: 'many' }, ['max_tokens']],
    [
      'words that are not known',
      { reasoning_effort: 'huge', verbosity: 'loud' },
      ['reasoning_effort', 'verbosity'],
    ],
    ['a format that is not known', { response_format: 'xml' }, ['response_format']],
    ['a deadline beyond the longest lease', { timeout_seconds: 541 }, ['timeout_seconds']],
    ['a deadline of no time', { timeout_seconds: 0 }, ['timeout_seconds']],
    ['too many iterations', { maximum_iterations: 31 }, ['maximum_iterations']],
  ])('%s', (_case, options, expected) => expect(faultsOf(options)).toEqual(expected));

  it('says which words may stand where one is not known', () => {
    const issues = optionsSchema.safeParse({ verbosity: 'loud' }).error?.issues;
    expect(issues?.[0]?.message).toBe('unsupported verbosity: loud; must be one of low, medium, high');
  });

  const schema = { schema: { type: 'object' } };
  it.each<[string, JsonObject, JsonObject[], string[]]>([
    ['no schema anywhere', { response_format: 'json_schema' }, [{}], ['json_schema']],
    ['a schema below', { response_format: 'json_schema' }, [{ json_schema: schema }], []],
    ['a wish below', { json_schema: schema }, [{ response_format: 'json_schema' }], []],
    [
      'a bad schema for a wish below',
      { json_schema: 'x' },
      [{ response_format: 'json_schema' }],
      ['json_schema'],
    ],
    ['a bad schema that nobody asks for', { json_schema: 'x' }, [{}], []],
    ['a fault that is not its own', { temperature: 1 }, [{ response_format: 'json_schema' }], []],
    [
      'strictness in every form (S1-42)',
      { response_format: 'json_schema', json_schema: { ...schema, strict: '0' } },
      [],
      [],
    ],
    [
      'strictness that is none',
      { response_format: 'json_schema', json_schema: { ...schema, strict: 'no' } },
      [],
      ['json_schema.strict'],
    ],
  ])('of a format: %s', (_case, layer, below, expected) =>
    expect(findFormatFaults(layer, below).map(({ path }) => path.join('.'))).toEqual(expected),
  );
});

describe('mergeOptions', () => {
  it.each<[JsonObject[], JsonObject]>([
    [[{ a: 1, b: 1 }, { b: 2 }, { c: 3 }], { a: 1, b: 2, c: 3 }],
    [[{ max_output_tokens: 500 }, {}, { max_tokens: 100 }], { max_output_tokens: 100 }],
    [[{ max_tokens: 500 }, { max_output_tokens: 100 }, {}], { max_output_tokens: 100 }],
    [[{ max_tokens: 1 }, { max_tokens: 2 }], { max_output_tokens: 2 }],
    [[{ max_tokens: 1, max_output_tokens: 2 }], { max_output_tokens: 2 }],
    [[{ max_tokens: 1, max_output_tokens: null }], { max_output_tokens: 1 }],
  ])('S3-26: the rightmost wins, under whatever name: %j', (layers, expected) =>
    expect(mergeOptions(...layers)).toEqual(expected),
  );

  it('changes nothing that it was given (S3-38)', () => {
    const layer = Object.freeze({ max_tokens: 1 });
    mergeOptions(layer, layer);
    expect(layer).toEqual({ max_tokens: 1 });
  });
});

describe('loopParametersSchema', () => {
  it.each<[unknown, boolean]>([
    ['false', false],
    [0, false],
    [' TRUE ', true],
    [undefined, true],
  ])('S1-42: takes the flag %j for %j', (value, expected) =>
    expect(loopParametersSchema.parse({ enable_stream: value, parallel_tool_calls: value })).toMatchObject({
      enable_stream: expected,
      parallel_tool_calls: expected,
    }),
  );
});
