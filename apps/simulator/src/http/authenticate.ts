import { timingSafeEqual } from 'node:crypto';
import { ApiError } from './api-error.js';

/** Always refused, so that a wrong key can be tested without configuration. */
const ALWAYS_INVALID_KEY = 'sk-invalid';

/**
 * Checks the `Authorization` header. With an expected key only this key passes; otherwise any key or none does, except
 * {@link ALWAYS_INVALID_KEY}. Throws the 401 of OpenAI's API.
 */
export function authenticate(authorization: string | undefined, expectedKey: string | null): void {
  const given = authorization?.replace(/^Bearer\s+/i, '').trim() ?? '';
  if (given === ALWAYS_INVALID_KEY) throw incorrectKey(given);
  if (expectedKey === null) return;
  if (given === '') throw missingKey();
  if (!isSame(given, expectedKey)) throw incorrectKey(given);
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function missingKey(): ApiError {
  const message =
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
    '(i.e. Authorization: Bearer YOUR_KEY).';
  return new ApiError(401, { message, type: 'invalid_request_error', param: null, code: null });
}

function incorrectKey(given: string): ApiError {
  const shown = given.length <= 8 ? `${given.slice(0, 2)}***` : `${given.slice(0, 4)}***${given.slice(-3)}`;
  const message = `Incorrect API key provided: ${shown}. This is the simulator: set the key it was started with.`;
  return new ApiError(401, { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' });
}
