import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { findModelFaults, optionsSchema } from '#libs/payloads';
import { chatParameters } from './chat-completions/chat-parameters.js';
import { responsesParameters } from './responses/read-model-parameters.js';

const pathsOf = (faults: readonly { readonly path: readonly PropertyKey[] }[]): string[] =>
  faults.map(({ path }) => path.join('.'));
const loopFaults = (options: JsonObject): string[] =>
  pathsOf(optionsSchema.safeParse(options).error?.issues ?? []);
const modelFaults = (options: JsonObject): string[] =>
  pathsOf(findModelFaults(options, [], responsesParameters));

describe('options', () => {
  it.each<[string, JsonObject, string[]]>([
    ['nothing', {}, []],
    ['unknown options', { colour: 'red', top_k: 5 }, []],
    ['flags in every form (S1-42)', { enable_stream: '1', parallel_tool_calls: ' False ' }, []],
    ['parameters that count as not given', { temperature: null, verbosity: '', max_tokens: null }, []],
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
    ['rounds and time that were accepted once', { timeout_seconds: 3_601, maximum_iterations: 31 }, []],
    ['a deadline of no time', { timeout_seconds: 0 }, ['timeout_seconds']],
    ['no round at all', { maximum_iterations: 0 }, ['maximum_iterations']],
    [
      'how much of a conversation is shown',
      { history_tokens: 200, context_size: 10_000_000, summary_model: 'small' },
      [],
    ],
    ['a conversation of nothing', { history_tokens: 199 }, ['history_tokens']],
    ['a conversation that no model reads', { history_tokens: 10_000_001 }, ['history_tokens']],
    [
      'tokens that are none',
      { history_tokens: '500', context_size: 1_000.5 },
      ['history_tokens', 'context_size'],
    ],
    ['a model that reads nothing', { context_size: 999 }, ['context_size']],
    ['a model without a name', { summary_model: ' ' }, ['summary_model']],
    ['a name that is too long', { summary_model: 'm'.repeat(201) }, ['summary_model']],
  ])('%s', (_case, options, expected) => {
    const loop = loopFaults(options);
    expect(loop.length > 0 ? loop : modelFaults(options)).toEqual(expected);
  });

  it('says which words may stand where one is not known', () => {
    const [fault] = findModelFaults({ verbosity: 'loud' }, [], responsesParameters);
    expect(fault?.message).toBe('unsupported verbosity: loud; must be one of low, medium, high');
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
    ['a bad schema that is not asked for', { json_schema: 'x' }, [{}], []],
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
  ])('for a format: %s', (_case, layer, below, expected) =>
    expect(pathsOf(findModelFaults(layer, below, responsesParameters))).toEqual(expected),
  );

  it.each<[string, JsonObject, string[], string[]]>([
    ['an answer as long as some servers allow', { max_output_tokens: 200_000 }, ['max_output_tokens'], []],
    ['an effort of another vendor', { reasoning_effort: 'max' }, ['reasoning_effort'], []],
    ['a summary that only one API has', { reasoning_summary: 'auto' }, [], ['reasoning_summary']],
    ['penalties that only one API has', { frequency_penalty: 3 }, [], ['frequency_penalty']],
    ['JSON without a schema', { response_format: 'json_object' }, ['response_format'], []],
    ['five stops', { stop: ['a', 'b', 'c', 'd', 'e'] }, [], ['stop']],
  ])('S3-27: each API has limits of its own: %s', (_case, options, responses, chat) => {
    expect(modelFaults(options)).toEqual(responses);
    expect(pathsOf(findModelFaults(options, [], chatParameters))).toEqual(chat);
  });
});
