import { ModelCallError } from '#libs/agent-core';
import { InvalidModelParameterError, toHarmlessCode } from '#libs/payloads';
import { APIConnectionError, APIError, APIUserAbortError } from 'openai/core/error';
import { AnswerTooLarge } from './bounded-body.js';
import * as failures from './failure.js';
import { providerWords } from './provider-words.js';
import { readRetryAfter } from './read-retry-after.js';
import { harmlessId, harmlessPath } from './harmless.js';

/** Where a call was when it failed; a broken connection means something else before and after the first byte. */
export type CallPhase = 'request' | 'answer';

/** What is known of the call when it failed. */
export interface CallMoment {
  readonly phase: CallPhase;
  /** As `WireProtocol` has it. */
  readonly streamName: string;
  /** Milliseconds since the epoch: a provider may say until when to wait. */
  readonly now: number;
  readonly requestId?: string | null;
  /** What the provider's words must not give away. */
  readonly secrets: readonly string[];
}

/** Any error of a call as the one family that may leave this library. The client's own error stays behind. */
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

/** Did the provider itself say something? */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError && !(error instanceof APIConnectionError);
}

function translateApiError(
  error: APIError,
  { now, streamName, requestId = null, secrets }: CallMoment,
): ModelCallError {
  const facts: failures.FailureFacts = {
    words: providerWords(error.error, secrets),
    code: toHarmlessCode(error.code),
    param: harmlessPath(error.param),
    apiErrorType: toHarmlessCode(error.type),
    requestId: harmlessId(error.requestID) ?? requestId,
    retryAfterMs: readRetryAfter(error.headers, now),
  };
  const { status } = error as { readonly status: number | undefined };
  return status === undefined
    ? failures.reportedFailure(streamName, facts)
    : failures.statusFailure(status, facts);
}
