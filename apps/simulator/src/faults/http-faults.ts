import { assertNever } from '#libs/kernel';
import { ApiError, invalidRequest, modelNotFound } from '../http/api-error.js';
import { errorReply, type Reply } from '../http/reply.js';
import type { HttpFault, RetryAfter } from './fault-schema.js';

/** Effect of a fault that replaces the answer. */
export type HttpFaultEffect =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Sends nothing: for `ms` before the answer, or until the client disconnects if null. */
  | { readonly kind: 'hang'; readonly ms: number | null }
  | { readonly kind: 'reset' };

const HTML_PAGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';

/** Effect of one fault. `model` is the requested one, `nowMs` the Unix time in ms, `refuse` the shape of errors. */
export function httpFaultEffect(
  fault: HttpFault,
  model: string,
  nowMs: number,
  refuse: (error: ApiError) => Reply = errorReply,
): HttpFaultEffect {
  switch (fault.kind) {
    case 'hang_before_headers':
      return { kind: 'hang', ms: fault.ms ?? null };
    case 'reset_before_headers':
      return { kind: 'reset' };
    case 'html_page':
      return replyWith({
        status: 200,
        contentType: 'text/html; charset=utf-8',
        headers: {},
        body: HTML_PAGE,
      });
    case 'empty_body':
      return replyWith({ status: 200, contentType: 'application/json', headers: {}, body: '' });
    case 'rate_limited':
      return replyWith(withRetryAfter(refuse(rateLimited(model)), fault.retry_after, nowMs));
    case 'server_error': {
      const json = refuse(serverError(fault.status));
      const reply =
        fault.body === 'json' ? json : { ...json, contentType: 'text/html', body: htmlError(fault.status) };
      return replyWith(withRetryAfter(reply, fault.retry_after, nowMs));
    }
    default:
      return replyWith(refuse(plainError(fault, model)));
  }
}

function replyWith(reply: Reply): HttpFaultEffect {
  return { kind: 'reply', reply };
}

type PlainErrorFault = Extract<
  HttpFault,
  | { kind: 'insufficient_quota' }
  | { kind: 'request_timeout' }
  | { kind: 'conflict' }
  | { kind: 'unauthorized' }
  | { kind: 'forbidden' }
  | { kind: 'model_not_found' }
  | { kind: 'context_length_exceeded' }
>;

function plainError(fault: PlainErrorFault, model: string): ApiError {
  switch (fault.kind) {
    case 'insufficient_quota':
      return failure(
        429,
        'insufficient_quota',
        'insufficient_quota',
        'You exceeded your current quota, please check your plan and billing details.',
      );
    case 'request_timeout':
      return failure(408, 'server_error', 'request_timeout', 'The request timed out.');
    case 'conflict':
      return failure(
        409,
        'invalid_request_error',
        'conflict',
        'The resource was updated by another request.',
      );
    case 'unauthorized':
      return failure(401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided: sk-***.');
    case 'forbidden':
      return failure(
        403,
        'invalid_request_error',
        'model_not_allowed',
        `Project does not have access to model '${model}'.`,
      );
    case 'model_not_found':
      return modelNotFound(model);
    case 'context_length_exceeded':
      return invalidRequest(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'input',
        'context_length_exceeded',
      );
    default:
      return assertNever(fault);
  }
}

function rateLimited(model: string): ApiError {
  const message = `Rate limit reached for ${model} on tokens per min (TPM): Limit 30000, Used 30000, Requested 100.`;
  return failure(429, 'tokens', 'rate_limit_exceeded', message);
}

function serverError(status: 500 | 502 | 503 | 504 | 529): ApiError {
  const message = {
    500: 'The server had an error while processing your request. Sorry about that!',
    502: 'Bad gateway.',
    503: 'The engine is currently overloaded, please try again later.',
    504: 'The gateway timed out.',
    529: 'Overloaded',
  }[status];
  return failure(status, 'server_error', status === 503 ? 'service_unavailable' : null, message);
}

function htmlError(status: number): string {
  return `<html><head><title>${status}</title></head><body><h1>${status}</h1><hr>gateway</body></html>`;
}

function failure(status: number, type: string, code: string | null, message: string): ApiError {
  return new ApiError(status, { message, type, param: null, code });
}

function withRetryAfter(reply: Reply, retryAfter: RetryAfter | undefined, nowMs: number): Reply {
  if (retryAfter === undefined) return reply;
  const value =
    typeof retryAfter === 'object'
      ? new Date(nowMs + retryAfter.date_in_s * 1000).toUTCString()
      : String(retryAfter);
  return { ...reply, headers: { ...reply.headers, 'retry-after': value } };
}
