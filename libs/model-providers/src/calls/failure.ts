import { ModelCallError, type SpentOnFailure } from '#libs/agent-core';
import { assertNever } from '#libs/kernel';
import { MAX_ANSWER_BYTES, MAX_LINE_BYTES } from './bounded-body.js';
import type { StopReason } from './call-watch.js';

/** Facts about a provider's failure. Only `words` may contain prompt text; no field contains a key. */
export interface FailureFacts {
  /** Message of the provider, see `providerWords`: shown to the tenant's clients, never logged. */
  readonly words?: string | null;
  readonly spent?: SpentOnFailure | null;
  readonly status?: number | undefined;
  readonly code?: string | null;
  readonly param?: string | null;
  readonly apiErrorType?: string | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  /** The event or status that ended a stream. */
  readonly responseStatus?: string | null;
  /** The timeout that was exceeded, in milliseconds. */
  readonly silenceMs?: number | null;
}

/** Codes of permanent failures: the same request fails again. */
const LASTING_CODES: ReadonlySet<string> = new Set([
  'answer_too_large',
  'billing_hard_limit_reached',
  'content_filter',
  'content_policy_violation',
  'context_length_exceeded',
  'insufficient_quota',
  'invalid_api_key',
  'invalid_prompt',
  'invalid_request_error',
  'model_not_found',
  'unsupported_parameter',
  // Types of errors, by providers without codes.
  'authentication_error',
  'billing_error',
  'not_found_error',
  'permission_error',
  'request_too_large',
]);

const QUOTA_CODES: ReadonlySet<string> = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

/** Failure with an HTTP error status (S1-43). */
export function statusFailure(status: number, facts: FailureFacts): ModelCallError {
  const [reason, text, retryable] = describeStatus(status, facts.code ?? null);
  return failure(reason, `API status error (${status}): ${text}`, retryable, { ...facts, status });
}

function describeStatus(status: number, code: string | null): readonly [string, string, boolean] {
  if (code === 'context_length_exceeded') {
    return [code, 'the conversation is longer than the model can read', false];
  }
  if (code === 'invalid_api_key') return ['invalid_credentials', 'the API key was not accepted', false];
  if (code !== null && QUOTA_CODES.has(code)) {
    return ['insufficient_quota', 'the quota of the API key is used up', false];
  }
  switch (status) {
    case 401:
      return ['invalid_credentials', 'the API key was not accepted', false];
    case 403:
      return ['permission_denied', 'the API key may not do this', false];
    case 404:
      return ['model_not_found', 'the model or the endpoint does not exist', false];
    case 408:
      return ['request_timeout', 'the provider gave up waiting', true];
    case 424:
      return ['provider_unavailable', 'the model failed', true];
    case 429:
      return ['rate_limited', 'too many requests', true];
    default:
      if (status >= 500) return ['provider_unavailable', 'the provider is not available', true];
      return ['invalid_request', 'the provider refused the request', false];
  }
}

/** Failure without an answer: connection refused or reset, unknown host, TLS error (S1-43). */
export function connectionFailure(): ModelCallError {
  return failure('connection_failed', 'API connection failed: the provider could not be reached', true, {});
}

/** Codes for rate limiting that servers report within a stream. */
const RATE_CODES: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'rate_limit_error', 'rate_limited']);

/** Failure reported by the provider: an `error` event, `response.failed`, or an unknown ending. */
export function reportedFailure(streamName: string, facts: FailureFacts): ModelCallError {
  const codes = [facts.code ?? '', facts.apiErrorType ?? ''];
  const isLasting = codes.some((code) => LASTING_CODES.has(code)) || isOddEnding(facts.responseStatus);
  const reason = codes.some((code) => RATE_CODES.has(code)) ? 'rate_limited' : 'response_failed';
  return failure(reason, `${streamName} failed`, !isLasting, facts);
}

/** True for `cancelled` and for unknown reasons of incompleteness, which are permanent. */
function isOddEnding(status: string | null | undefined): boolean {
  return status !== undefined && status !== null && status !== 'failed';
}

/** The stream or connection ended before the answer was complete. */
export function truncatedStream(streamName: string, facts: FailureFacts): ModelCallError {
  const message = `${streamName} failed: it ended before the answer was complete`;
  return failure('truncated_stream', message, true, facts);
}

export function malformedEvent(streamName: string, facts: FailureFacts): ModelCallError {
  return failure('malformed_event', `${streamName} failed: an event could not be read`, true, facts);
}

/** The answer, or one of its lines, exceeds the size limit. Permanent: the server would send it again. */
export function answerTooLarge(limit: 'answer' | 'line', facts: FailureFacts): ModelCallError {
  const most = limit === 'answer' ? MAX_ANSWER_BYTES : MAX_LINE_BYTES;
  const what = limit === 'answer' ? 'the answer' : 'a line of the stream';
  const message = `the provider sent too much: ${what} has more than ${most / 1_048_576} MB`;
  return failure('answer_too_large', message, false, facts);
}

/** A success status without a valid response, e.g. an empty body or another API's. */
export function invalidResponse(facts: FailureFacts): ModelCallError {
  return failure('invalid_response', NO_RESPONSE, true, facts);
}

/** The same for an HTML page, typically of a proxy or web server in front of the model server. */
export function pageInsteadOfResponse(title: string | null, facts: FailureFacts): ModelCallError {
  const named = title === null ? '' : `: ${title}`;
  return failure('invalid_response', `${NO_RESPONSE} but an HTML page${named}`, true, facts);
}

const NO_RESPONSE = 'the provider answered with something that is not a response';

/** The call was aborted by this process. */
export function stoppedCall(streamName: string, reason: StopReason, afterMs: number | null): ModelCallError {
  const seconds = (afterMs ?? 0) / 1_000;
  switch (reason) {
    case 'aborted':
      return failure(reason, 'the model call was aborted', false, {});
    case 'first_byte_timeout':
    case 'request_timeout':
      return failure(reason, `API connection failed: no answer within ${seconds} s`, true, {
        silenceMs: afterMs,
      });
    case 'idle_timeout':
      return failure(reason, `${streamName} failed: silent for ${seconds} s`, true, {});
    default:
      return assertNever(reason);
  }
}

/** The request was never sent. `message` names the invalid parameter. */
export function invalidParameters(message: string, field: string): ModelCallError {
  return new ModelCallError({
    reason: 'invalid_parameters',
    message,
    retryable: false,
    details: { param: field },
  });
}

/** `fallback` is the message if the provider sent none. */
function failure(reason: string, fallback: string, retryable: boolean, facts: FailureFacts): ModelCallError {
  const { retryAfterMs, words, spent, ...details } = facts;
  const said = words ? `[${facts.status ?? facts.responseStatus ?? 'error'}] ${words}` : fallback;
  const suffix = hint(facts);
  return new ModelCallError({
    reason,
    message: cut(said, MAX_MESSAGE - suffix.length) + suffix,
    retryable,
    retryAfterMs: retryAfterMs ?? null,
    details,
    spent: spent ?? null,
  });
}

/** Maximum characters of the message for clients. */
const MAX_MESSAGE = 500;

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

/** Example: ` (code=unsupported_parameter, param=temperature)`. */
function hint({ code, param, words }: FailureFacts): string {
  const parts = [
    code && `code=${code}`,
    param && `param=${param}`,
    words?.includes('stream_options') === true && 'see `stream_usage` of the credentials',
  ].filter(Boolean);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
