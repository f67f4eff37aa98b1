import { describe, expect, it } from '@jest/globals';
import { formFaults } from './form-faults.js';
import { ApiProblem } from './problem.js';

describe('the faults of a form', () => {
  const problem = (code: string, faults: readonly string[]) =>
    new ApiProblem(400, 'Title', 'Detail', code, null, faults);

  it('stand at the fields that the problem names', () => {
    const refused = problem('X', ['#/url: must be public', '#/events/1: is unknown']);
    const faults = formFaults(refused, ['url', 'events']);
    expect([faults.of('url'), faults.of('events'), faults.isAllShown]).toEqual([
      'must be public',
      '1: is unknown',
      true,
    ]);
  });

  it('stand at the field that the code is about', () => {
    const faults = formFaults(problem('NAME_TAKEN', []), ['name'], { NAME_TAKEN: 'name' });
    expect([faults.of('name'), faults.isAllShown]).toEqual(['Detail', true]);
  });

  it.each([
    ['a field that the form does not show', ['#/url: x', '#/other: y'], false],
    ['no field', [], false],
  ])('at %s are left to the form as a whole', (_name, lines, isAllShown) => {
    expect(formFaults(problem('X', lines), ['url']).isAllShown).toBe(isAllShown);
  });

  it('are none without a problem', () => {
    const faults = formFaults(null, ['url']);
    expect([faults.of('url'), faults.isAllShown]).toEqual([null, true]);
  });
});
