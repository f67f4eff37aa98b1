import { describe, expect, it } from '@jest/globals';
import { fieldFaults } from './field-faults.js';
import { ApiProblem, problemFrom, problemOf } from './problem.js';
import { pauseBeforeRetry } from './wait-before-retry.js';

const PROBLEM = {
  type: 'https://example.com/errors#validation_error',
  title: 'Validation error',
  status: 400,
  detail: 'limit must be at most 100',
  code: 'VALIDATION_ERROR',
  request_id: 'request-1',
  errors: [
    { parameter: 'limit', detail: 'at most 100' },
    { pointer: '/input', detail: 'required' },
    { header: 'if-match', detail: 'not an ETag' },
  ],
};

describe('a problem', () => {
  it('is in the words of the service, with each invalid field and the request', () => {
    expect(problemFrom(400, PROBLEM)).toMatchObject({
      status: 400,
      title: 'Validation error',
      message: 'limit must be at most 100',
      code: 'VALIDATION_ERROR',
      requestId: 'request-1',
      faults: ['limit: at most 100', '/input: required', 'if-match: not an ETag'],
    });
  });

  it.each([null, 'Bad Gateway', { message: 'no problem document' }])(
    'is made of %j of a proxy, too',
    (body) => {
      const problem = problemFrom(502, body);
      expect(problem).toBeInstanceOf(ApiProblem);
      expect([problem.message, problem.requestId]).toEqual([
        'The server is not available at the moment.',
        null,
      ]);
    },
  );

  it('is made of a connection that broke, and of any other error', () => {
    expect(problemOf(new TypeError('Failed to fetch')).message).toBe('The server cannot be reached.');
    expect(problemOf(new Error('x')).message).toBe('x');
    const known = problemFrom(400, PROBLEM);
    expect(problemOf(known)).toBe(known);
  });
});

describe('the pause before another try', () => {
  it('doubles up to 15 s and is drawn from its upper half', () => {
    expect([0, 1, 2].map((failures) => pauseBeforeRetry(failures, 1))).toEqual([500, 1000, 2000]);
    expect(pauseBeforeRetry(0, 0)).toBe(250);
    expect([pauseBeforeRetry(1_000, 0), pauseBeforeRetry(1_000, 1)]).toEqual([7_500, 15_000]);
  });
});

describe('the faults of a form', () => {
  const problem = (code: string, faults: readonly string[]) =>
    new ApiProblem(400, 'Title', 'Detail', code, null, faults);

  it('stand at the fields that the problem names', () => {
    const faults = fieldFaults(problem('X', ['#/url: must be public', '#/events/1: is unknown']), [
      'url',
      'events',
    ]);
    expect([faults.of('url'), faults.of('events'), faults.isAllShown]).toEqual([
      'must be public',
      'is unknown',
      true,
    ]);
  });

  it('stand at the field that the code is about', () => {
    const faults = fieldFaults(problem('NAME_TAKEN', []), ['name'], { NAME_TAKEN: 'name' });
    expect([faults.of('name'), faults.isAllShown]).toEqual(['Detail', true]);
  });

  it.each([
    ['a field that the form does not show', ['#/url: x', '#/other: y'], false],
    ['no field', [], false],
  ])('of %s are left to the form as a whole', (_name, lines, isAllShown) => {
    expect(fieldFaults(problem('X', lines), ['url']).isAllShown).toBe(isAllShown);
  });

  it('are none without a problem', () => {
    expect(fieldFaults(null, ['url']).isAllShown).toBe(true);
  });
});
