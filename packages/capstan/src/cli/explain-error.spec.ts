import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, type Problem } from '../client/index.js';
import { explainError, UsageError } from './explain-error.js';

const URL = 'http://capstan:3000';
const refusal = (
  status: number,
  fields: Partial<Problem> = {},
  retryAfterMs: number | null = null,
): ApiError => {
  const problem = {
    code: 'VALIDATION_ERROR',
    detail: 'it is not valid',
    request_id: 'r-1',
    ...fields,
  } as Problem;
  return new ApiError(status, problem, new Headers(), retryAfterMs);
};

describe('an error in words', () => {
  it('names the fields and the request', () => {
    const error = refusal(400, { errors: [{ pointer: '#/input', detail: 'is missing' }] });
    expect(explainError(error, URL)).toEqual({
      lines: ['it is not valid (VALIDATION_ERROR)', '  #/input: is missing', 'Request r-1'],
      exitCode: 1,
      code: 'VALIDATION_ERROR',
      requestId: 'r-1',
    });
  });

  it.each([
    [refusal(401), 'CAPSTAN_API_KEY'],
    [refusal(403), 'capstan doctor'],
    [refusal(429, {}, 4_200), 'Try again in 5 s.'],
  ])('says what to do', (error, advice) => {
    expect(explainError(error, URL).lines.join('\n')).toContain(advice);
  });

  it('says why a service cannot be reached', () => {
    const cause = new TypeError('fetch failed', {
      cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
    });
    const { lines, exitCode } = explainError(new ConnectionError('gone', { cause }), URL);
    expect(lines[0]).toBe('http://capstan:3000 cannot be reached (ECONNREFUSED).');
    expect(exitCode).toBe(7);
  });

  it('in a command is a matter of its use', () => {
    expect(explainError(new UsageError('no'), URL)).toMatchObject({ lines: ['no'], exitCode: 2 });
  });
});
