import { describe, expect, it } from '@jest/globals';
import { faultsAt, faultsBeside, fieldFaultsOf, formFaults } from './form-faults.js';
import { ApiProblem, problemFrom } from './problem.js';

describe('the faults of a body', () => {
  const faults = fieldFaultsOf(
    problemFrom(400, {
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
    }),
  );

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

describe('the faults of a form', () => {
  const problem = (code: string, ...faults: readonly string[]) =>
    new ApiProblem(400, 'Title', 'Detail', code, null, faults);

  it('stand at the fields that the problem names, and at places within them', () => {
    const refused = problem(
      'X',
      '#/url: must be public',
      '#/limits/tokens: must be: 1 or more',
      '#/url: is long',
    );
    const faults = formFaults(refused, ['url', 'limits', 'lim']);
    expect(faults.at('url')).toEqual(['must be public', 'is long']);
    expect(faults.at('limits')).toEqual(['tokens: must be: 1 or more']);
    expect(faults.at('limits/tokens')).toEqual(['must be: 1 or more']);
    expect(faults.at('lim')).toEqual([]);
    expect(faults.isAllShown).toBe(true);
  });

  it('stand at the field that the code is about', () => {
    const faults = formFaults(problem('NAME_TAKEN'), ['name', 'url'], { NAME_TAKEN: 'name' });
    expect([faults.at('name'), faults.at('url'), faults.isAllShown]).toEqual([['Detail'], [], true]);
  });

  it.each([
    ['a field that the form does not show', ['#/url: x', '#/other: y'], false],
    ['a place beside the one that the form shows', ['#/url: x', '#/limits/days: y'], false],
    ['a header', ['#/url: x', 'If-Match: y'], false],
    ['no field', [], false],
    ['shown fields', ['#/url: x', '#/limits/tokens: y'], true],
  ])('are at %s: %j; all are shown: %j', (_name, lines, isAllShown) => {
    expect(formFaults(problem('X', ...lines), ['url', 'limits/tokens']).isAllShown).toBe(isAllShown);
  });

  it('are none without a problem', () => {
    const faults = formFaults(null, ['url']);
    expect([faults.at('url'), faults.isAllShown]).toEqual([[], true]);
  });

  it('are none where the service was not reached', () => {
    const faults = formFaults(new TypeError('fetch'), ['url']);
    expect([faults.at('url'), faults.isAllShown]).toEqual([[], false]);
  });
});
