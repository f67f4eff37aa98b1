import { describe, expect, it } from '@jest/globals';
import { engineParameters } from './engine-parameters.js';

const fields = (parameters: object) =>
  engineParameters.findFaults({ ...parameters }).map(({ field }) => field);

describe('parameters of the engine (S3-27)', () => {
  it.each([
    [{ temperature: 0.5 }, ['temperature']],
    [{ tool_choice: 'required', stop: ['x'] }, ['stop', 'tool_choice']],
    [{ reasoning_effort: 'huge' }, ['reasoning_effort']],
    [{ parallel_tool_calls: false, prompt_cache: '1h' }, ['prompt_cache', 'parallel_tool_calls']],
  ])('refuses %j', (parameters, expected) => expect(fields(parameters)).toEqual(expected));

  it('takes what it has options for, and values that change nothing', () =>
    expect(
      fields({
        ...{ reasoning_effort: 'low', max_output_tokens: 1_000, response_format: 'text' },
        ...{
          tool_choice: 'auto',
          parallel_tool_calls: true,
          temperature: null,
          stop: [],
          enable_stream: true,
        },
      }),
    ).toEqual([]));

  it('describes no parameter that it refuses', () =>
    expect(engineParameters.described.map(({ name }) => name)).not.toContain('temperature'));
});
