import { describe, expect, it } from '@jest/globals';
import type { RunStep } from '../api/types.js';
import { toolOf } from './tool-of.js';

const step = (fields: Partial<RunStep>) =>
  ({
    ...{ scope: '', round: 1, position: 0, call_id: 'c', tool_name: 'find_parcel', input: { number: 7 } },
    ...{ status: 'succeeded', output: null, error: null },
    ...fields,
  }) as RunStep;

describe('a recorded tool call', () => {
  it.each<[string, Partial<RunStep>, string]>([
    ['the text that the model read', { output: { result: { text: 'found' } } }, 'found'],
    ['text that is JSON', { output: { result: { text: { id: 7 } } } }, '{"id":7}'],
    ['any other output', { output: { rows: 2 } }, '{"rows":2}'],
    ['the error without an output', { status: 'failed', error: 'no connection' }, 'no connection'],
    ['its status without both', { status: 'outcome_unknown' }, 'outcome unknown'],
  ])('shows %s', (_name, fields, text) => {
    expect(toolOf(step(fields)).result?.text).toBe(text);
  });

  it.each<[RunStep['status'], boolean | undefined]>([
    ['started', undefined],
    ['succeeded', false],
    ['skipped', false],
    ['failed', true],
    ['refused', true],
    ['outcome_unknown', true],
  ])('with the status %s is an error: %s', (status, isError) => {
    expect(toolOf(step({ status })).result?.isError).toBe(isError);
  });
});
