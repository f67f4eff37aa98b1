import { describe, expect, it } from '@jest/globals';
import { faultsAt, faultsBeside, fieldFaultsOf } from './field-faults.js';
import { problemFrom } from './problem.js';

const problem = problemFrom(400, {
  title: 'Bad Request',
  detail: '3 fields are not valid',
  code: 'VALIDATION_ERROR',
  request_id: 'r',
  errors: [
    { pointer: '#/name', detail: 'must have at most 100 characters' },
    { pointer: '#/tools/builtin/1', detail: 'must be the name of a tool: a, b' },
    { pointer: '#/config/a~1b c', detail: 'is: not known' },
    { parameter: 'limit', detail: 'must be from 1 to 100' },
  ],
});
const faults = fieldFaultsOf(problem);

describe('the faults of a body', () => {
  it('have a path each; those of a parameter are none', () => {
    expect(faults).toEqual([
      { path: ['name'], detail: 'must have at most 100 characters' },
      { path: ['tools', 'builtin', '1'], detail: 'must be the name of a tool: a, b' },
      { path: ['config', 'a/b c'], detail: 'is: not known' },
    ]);
  });

  it('are none where a request failed otherwise, or not at all', () => {
    expect(fieldFaultsOf(new TypeError('fetch'))).toEqual([]);
    expect(fieldFaultsOf(null)).toEqual([]);
  });

  it('stand at their field, and say what within it is meant', () => {
    expect(faultsAt(faults, 'name')).toEqual(['must have at most 100 characters']);
    expect(faultsAt(faults, 'tools')).toEqual(['builtin / 1: must be the name of a tool: a, b']);
    expect(faultsAt(faults, 'tools', 'servers')).toEqual([]);
  });

  it('stand beside the form where no field is theirs', () => {
    expect(faultsBeside(faults, [['name'], ['tools', 'builtin']])).toEqual([faults[2]]);
  });
});
