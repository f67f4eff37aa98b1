import { ModelCallError } from '#libs/agent-core';
import { readNumber, readRetryAfter as readHeader } from '#libs/kernel';
import { InvalidModelParameterError } from '#libs/payloads';
import { APIConnectionError, APIError, APIUserAbortError } from 'openai/core/error';
import { toHarmlessCode } from '../wire/model-calls/failed-ending.js';
import { AnswerTooLarge } from './bounded-body.js';
import { errorWords } from './error-words.js';
import * as failures from './failure.js';
import { harmlessPath } from './harmless.js';
import { providerWords } from './provider-words.js';
import { readRequestId } from './read-request-id.js';

/** Phase of a call; a broken connection means different errors before and after the first byte. */
type CallPhase = 'request' | 'answer';

/** State of the call at its failure. */
interface CallMoment {
  readonly phase: CallPhase;
  /** `streamName` of the `WireProtocol`. */
  readonly streamName: string;
  /** Milliseconds since the epoch, to evaluate a provider's retry date. */
  readonly now: number;
  readonly requestId?: string | null;
  /** Secrets to redact from the provider's message. */
  readonly secrets: readonly string[];
}

/** Converts any error of a call to a `ModelCallError`, the only error type that leaves this library. */
export function translateError(error: unknown, moment: CallMoment): ModelCallError {
  const { phase, streamName, requestId = null } = moment;
  if (error instanceof ModelCallError) return error;
  if (error instanceof InvalidModelParameterError) {
    return failures.invalidParameters(error.message, error.field);
  }
  if (error instanceof AnswerTooLarge) return failures.answerTooLarge(error.limit, { requestId });
  if (error instanceof APIUserAbortError) return failures.stoppedCall(streamName, 'aborted', null);
  if (isApiError(error)) return translateApiError(error, moment);
  if (phase === 'request') return failures.connectionFailure();
  return error instanceof SyntaxError
    ? failures.malformedEvent(streamName, { requestId })
    : failures.truncatedStream(streamName, { requestId });
}

/** True if the provider itself reported the error. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError && !(error instanceof APIConnectionError);
}

function translateApiError(
  error: APIError,
  { now, streamName, requestId = null, secrets }: CallMoment,
): ModelCallError {
  const facts: failures.FailureFacts = {
    words: providerWords(error.error, secrets),
    code: readErrorCode({ code: error.code, type: error.type, message: errorWords(error.error) }),
    param: harmlessPath(error.param),
    apiErrorType: toHarmlessCode(error.type),
    requestId: readRequestId(error.headers) ?? requestId,
    retryAfterMs: readRetryAfter(error.headers, now),
  };
  const { status } = error as { readonly status: number | undefined };
  return status === undefined
    ? failures.reportedFailure(streamName, facts)
    : failures.statusFailure(status, facts);
}

/** Words of providers that send no code of their own for these two. */
const TOO_LONG =
  /^prompt is too long|^input length and `max_tokens` exceed|input is too long for requested model/iu;
const NO_CREDIT = /credit balance is too low/iu;

/** Codes of types that services without codes have for the same. */
const CODES_OF_TYPES: Readonly<Record<string, string>> = {
  billing_error: 'insufficient_quota',
  throttlingException: 'rate_limited',
  validationException: 'invalid_request_error',
  ...Object.fromEntries(
    [
      ...['UnrecognizedClientException', 'InvalidSignatureException', 'IncompleteSignatureException'],
      ...['ExpiredTokenException', 'InvalidClientTokenId', 'MissingAuthenticationTokenException'],
    ].map((type) => [type, 'invalid_api_key']),
  ),
};

/** The facts of an error body; none of them is trusted to have any shape. */
interface SaidError {
  readonly code: unknown;
  readonly type: unknown;
  readonly message: string;
}

/** Code of an error, also where its server says it by the type or in words only; null if there is none. */
function readErrorCode({ code, type, message }: SaidError): string | null {
  const given = toHarmlessCode(code);
  if (given !== null) return given;
  if (TOO_LONG.test(message)) return 'context_length_exceeded';
  if (NO_CREDIT.test(message)) return 'insufficient_quota';
  return typeof type === 'string' && Object.hasOwn(CODES_OF_TYPES, type)
    ? (CODES_OF_TYPES[type] ?? null)
    : null;
}

/** Milliseconds to wait, from the headers `retry-after-ms` or `retry-after`; `null` if there is no usable value. */
export function readRetryAfter(headers: Headers | undefined, now: number): number | null {
  return readNumber(headers?.get('retry-after-ms'), 1) ?? readHeader(headers?.get('retry-after'), now);
}
