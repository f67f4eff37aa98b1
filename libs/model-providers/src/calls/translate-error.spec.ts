import { describe, expect, it } from '@jest/globals';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { translateError } from './translate-error.js';

const NOW = 0;
const KEY = 'sk-canary';
const at = (phase: 'request' | 'answer') => ({
  phase,
  streamName: 'responses stream',
  now: NOW,
  secrets: [KEY],
});
const LEAK = 'canary: your prompt said hello, key sk-canary';

function statusError(status: number, error: object = {}, headers: Record<string, string> = {}) {
  return APIError.generate(status, { error }, 'a page', new Headers(headers));
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
    const translated = translateError(statusError(status, error), at('request'));
    const code = reason === 'rate_limited' ? 'RATE_LIMITED' : 'SDK_ERROR';
    expect(translated).toMatchObject({ code, reason, retryable, message });
    expect(translated.details).toMatchObject({ status });
  });

  it('keeps the request id and the wish to wait', () => {
    const headers = { 'x-request-id': 'req_1', 'retry-after': '7' };
    const translated = translateError(statusError(429, {}, headers), at('request'));
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
    [
      'L1',
      new APIError(undefined, { code: 'rate_limit_exceeded', message: LEAK }, LEAK, undefined),
      'answer',
      'rate_limited',
      true,
    ],
    ['S1-43', LEAK, 'answer', 'truncated_stream', true],
  ])('S1-43, %s: %s while the %s is awaited is %s', (_number, error, phase, reason, retryable) =>
    expect(translateError(error, at(phase))).toMatchObject({ reason, retryable }),
  );

  it.each<[string, APIError, string]>([
    [
      'status, words and code',
      statusError(429, { message: 'Rate limit reached for gpt-5.', code: 'rate_limit_exceeded' }),
      '[429] Rate limit reached for gpt-5. (code=rate_limit_exceeded)',
    ],
    [
      'no code',
      statusError(400, { message: 'No tool output found for call c1.' }),
      '[400] No tool output found for call c1.',
    ],
    [
      'what an event said',
      new APIError(undefined, { code: 'server_error', message: 'Sorry.' }, undefined, undefined),
      '[error] Sorry. (code=server_error)',
    ],
    [
      'words on one line, without secrets',
      statusError(401, { message: `Incorrect API key\n provided: ${KEY}, or sk-proj-12345678.` }),
      '[401] Incorrect API key provided: ***REDACTED***, or ***REDACTED***',
    ],
    [
      'a text instead of an error object',
      APIError.generate(400, { error: 'model is required' }, undefined, new Headers()),
      '[400] model is required',
    ],
    [
      'what to set, where a setting helps',
      statusError(400, { message: 'Unrecognized request argument supplied: stream_options' }),
      '[400] Unrecognized request argument supplied: stream_options (see `stream_usage` of the credentials)',
    ],
    [
      'words that are none',
      statusError(500, { message: 7 }),
      'API status error (500): the provider is not available',
    ],
  ])('S4-37: shows the tenant the words of the provider: %s', (_case, error, message) =>
    expect(translateError(error, at('request')).message).toBe(message),
  );

  it('S4-37: shows at most 500 characters, and the code whole', () => {
    const error = statusError(400, { message: 'long '.repeat(1_000), code: 'invalid_prompt' });
    const { message } = translateError(error, at('request'));
    expect(message).toHaveLength(500);
    expect(message).toMatch(/^\[400\] long .*… \(code=invalid_prompt\)$/);
  });

  it.each<[unknown, 'request' | 'answer']>([
    [
      statusError(400, { message: LEAK, code: LEAK, param: LEAK, type: LEAK }, { 'x-request-id': LEAK }),
      'request',
    ],
    [APIError.generate(500, undefined, LEAK, new Headers()), 'request'],
    [new APIConnectionError({ message: LEAK, cause: new Error(LEAK) }), 'request'],
    [new SyntaxError(LEAK), 'answer'],
    [new APIError(undefined, { message: LEAK, code: LEAK }, LEAK, new Headers()), 'answer'],
  ])('%#: S1-47: what the provider said stands in the message alone, and no key at all', (error, phase) => {
    const translated = translateError(error, at(phase));
    const { message, stack, details, cause, reason } = translated;
    expect(message).not.toContain(KEY);
    expect(stack).not.toContain(KEY);
    expect(JSON.stringify({ details, cause: String(cause), reason })).not.toContain('canary');
    expect(cause).toBeUndefined();
  });
});
