import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { loopParametersSchema, mergeOptions } from './options.js';

describe('mergeOptions', () => {
  it.each<[JsonObject[], JsonObject]>([
    [[{ a: 1, b: 1 }, { b: 2 }, { c: 3 }], { a: 1, b: 2, c: 3 }],
    [[{ max_output_tokens: 500 }, {}, { max_tokens: 100 }], { max_output_tokens: 100 }],
    [[{ max_tokens: 500 }, { max_output_tokens: 100 }, {}], { max_output_tokens: 100 }],
    [[{ max_tokens: 1 }, { max_tokens: 2 }], { max_output_tokens: 2 }],
    [[{ max_tokens: 1, max_output_tokens: 2 }], { max_output_tokens: 2 }],
    [[{ max_tokens: 1, max_output_tokens: null }], { max_output_tokens: 1 }],
  ])('S3-26: the rightmost wins, under any of its names: %j', (layers, expected) =>
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
