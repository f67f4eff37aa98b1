import { describe, expect, it } from '@jest/globals';
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
