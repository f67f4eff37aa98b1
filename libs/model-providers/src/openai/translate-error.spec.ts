import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { translateError } from './translate-error.js';

const NOW = 0;
const LEAK = 'canary: your prompt said hello, key sk-canary';

function statusError(status: number, error: object = {}, headers: Record<string, string> = {}) {
  return APIError.generate(status, { error: { message: LEAK, ...error } }, LEAK, new Headers(headers));
}

describe('translateError', () => {
  it.each<[string, number, object, string, boolean, string]>([
    ['L3', 400, {}, 'invalid_request', false, 'API status error (400): the provider refused the request'],
    [
      'L3',
      400,
      { code: 'unsupported_parameter', param: 'temperature' },
      'invalid_request',
      false,
      'API status error (400): the provider refused the request (code=unsupported_parameter, param=temperature)',
    ],
    [
      'L3',
      400,
      { code: 'context_length_exceeded' },
      'context_length_exceeded',
      false,
      'API status error (400): the conversation is longer than the model can read (code=context_length_exceeded)',
    ],
    [
      'L3',
      401,
      { code: 'invalid_api_key' },
      'invalid_credentials',
      false,
      'API status error (401): the API key was not accepted (code=invalid_api_key)',
    ],
    ['L3', 403, {}, 'permission_denied', false, 'API status error (403): the API key may not do this'],
    [
      'S1-13, S1-78, L3',
      404,
      { code: 'model_not_found' },
      'model_not_found',
      false,
      'API status error (404): the model or the endpoint does not exist (code=model_not_found)',
    ],
    [
      'L3',
      429,
      { code: 'insufficient_quota' },
      'insufficient_quota',
      false,
      'API status error (429): the quota of the API key is used up (code=insufficient_quota)',
    ],
    ['L1', 429, {}, 'rate_limited', true, 'API status error (429): too many requests'],
    ['L4', 408, {}, 'request_timeout', true, 'API status error (408): the provider gave up waiting'],
    ['L4', 500, {}, 'provider_unavailable', true, 'API status error (500): the provider is not available'],
    ['L4', 503, {}, 'provider_unavailable', true, 'API status error (503): the provider is not available'],
    ['L22', 302, {}, 'invalid_request', false, 'API status error (302): the provider refused the request'],
    ['L3', 409, {}, 'invalid_request', false, 'API status error (409): the provider refused the request'],
  ])('S1-43, %s: status %d with %j is %s', (_number, status, error, reason, retryable, message) => {
    const translated = translateError(statusError(status, error), 'request', NOW);
    expect(translated).toMatchObject({ code: 'SDK_ERROR', reason, retryable, message });
    expect(translated.details).toMatchObject({ status });
  });

  it('keeps the request id and the wish to wait', () => {
    const headers = { 'x-request-id': 'req_1', 'retry-after': '7' };
    const translated = translateError(statusError(429, {}, headers), 'request', NOW);
    expect(translated.retryAfterMs).toBe(7_000);
    expect(translated.details).toMatchObject({ requestId: 'req_1' });
  });

  it.each<[string, unknown, 'request' | 'answer', string, boolean]>([
    ['L5', new APIConnectionError({ message: LEAK }), 'request', 'connection_failed', true],
    ['L9', new APIConnectionError({ message: LEAK }), 'answer', 'truncated_stream', true],
    ['L5', new APIConnectionTimeoutError({ message: LEAK }), 'request', 'connection_failed', true],
    ['L9', new TypeError(LEAK), 'answer', 'truncated_stream', true],
    ['L10', new SyntaxError(LEAK), 'answer', 'malformed_event', true],
    ['L6', new APIUserAbortError({ message: LEAK }), 'request', 'aborted', false],
    [
      'L11',
      new APIError(undefined, { code: 'server_error', message: LEAK }, LEAK, undefined),
      'answer',
      'response_failed',
      true,
    ],
    [
      'L11',
      new APIError(undefined, { code: 'invalid_prompt', message: LEAK }, LEAK, undefined),
      'answer',
      'response_failed',
      false,
    ],
    ['S1-43', LEAK, 'answer', 'truncated_stream', true],
  ])('S1-43, %s: %s while the %s is awaited is %s', (_number, error, phase, reason, retryable) =>
    expect(translateError(error, phase, NOW)).toMatchObject({ reason, retryable }),
  );

  it.each<[unknown, 'request' | 'answer']>([
    [statusError(400, { code: LEAK, param: LEAK, type: LEAK }, { 'x-request-id': LEAK }), 'request'],
    [statusError(500), 'request'],
    [new APIConnectionError({ message: LEAK, cause: new Error(LEAK) }), 'request'],
    [new SyntaxError(LEAK), 'answer'],
    [new APIError(undefined, { message: LEAK, code: LEAK }, LEAK, new Headers()), 'answer'],
  ])('%#: S1-47: nothing of what the provider or the client said remains in the error', (error, phase) => {
    const translated = translateError(error, phase, NOW);
    const { message, stack, details, cause, reason } = translated;
    expect(JSON.stringify({ message, stack, details, cause: String(cause), reason })).not.toContain('canary');
    expect(cause).toBeUndefined();
  });
});
