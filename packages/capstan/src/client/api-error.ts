import {
  ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from './errors.js';
import { readRetryAfter } from './retry-after.js';
import type { Problem } from './types.js';

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The error of an answer that is no success; `text` is its body. */
export function apiErrorOf(status: number, headers: Headers, text: string): ApiError {
  const ErrorClass = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(status, problemIn(text), headers, readRetryAfter(headers, Date.now()));
}

/** Null where the body is no problem document, as those of proxies. */
function problemIn(text: string): Problem | null {
  try {
    const body: unknown = JSON.parse(text);
    const isProblem = typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
    return isProblem ? (body as Problem) : null;
  } catch {
    return null;
  }
}
