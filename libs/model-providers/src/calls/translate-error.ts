import { ModelCallError } from '#libs/agent-core';
import { InvalidModelParameterError } from '#libs/payloads';
import { APIConnectionError, APIError, APIUserAbortError } from 'openai/core/error';
import { toHarmlessCode } from '../wire/model-calls/failed-ending.js';
import { AnswerTooLarge } from './bounded-body.js';
import { providerWords } from './provider-words.js';
import { readRetryAfter } from './read-retry-after.js';
import { errorWords } from './error-words.js';
import { harmlessPath } from './harmless.js';
import { readErrorCode } from './read-error-code.js';
import { readRequestId } from './read-request-id.js';
import * as failures from './failure.js';

/** Phase of a call; a broken connection means different errors before and after the first byte. */
export type CallPhase = 'request' | 'answer';

/** State of the call at its failure. */
export interface CallMoment {
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
