import type { ApiError } from '../http/api-error.js';
import { jsonReply, type Reply } from '../http/reply.js';

/** Type and message of an error of the Messages API. */
export interface MessageError {
  readonly type: string;
  readonly message: string;
}

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

/** An error in the shape of the Messages API, which has types instead of codes. */
export function messageErrorReply(error: ApiError): Reply {
  const { status, body } = error;
  if (body.code === 'insufficient_quota') {
    const message = 'Your credit balance is too low to access the API. Please go to Plans & Billing.';
    return reply(400, { type: 'invalid_request_error', message });
  }
  if (body.code === 'context_length_exceeded') {
    const message = 'prompt is too long: 200001 tokens > 200000 maximum';
    return reply(400, { type: 'invalid_request_error', message });
  }
  const fallback = status >= 500 ? 'api_error' : 'invalid_request_error';
  return reply(status, { type: TYPES[status] ?? fallback, message: body.message });
}

function reply(status: number, error: MessageError): Reply {
  return jsonReply(status, { type: 'error', error });
}

const TYPES_OF_CODES: Readonly<Record<string, string>> = {
  server_error: 'api_error',
  rate_limit_exceeded: 'rate_limit_error',
  invalid_prompt: 'invalid_request_error',
};

/** An error in place of an answer, or within a stream. */
export function toMessageError(code: string | null, message: string): MessageError {
  return { type: TYPES_OF_CODES[code ?? 'server_error'] ?? code ?? 'api_error', message };
}
