import type { JsonObject } from '#libs/kernel';
import { NoAnswerError, REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import {
  PassingFailure,
  ToolServerFailure,
  type ToolContext,
  type ToolEffect,
  type ToolReturn,
} from '#libs/tooling';
import { buildRequest, type OperationRequest } from './build-request.js';
import type { CalledService } from './called-service.js';
import { hideSecrets } from '../servers/hide-secrets.js';
import type { Operation, OperationArguments } from './operation.js';
import { errorAnswer, readAnswer, TOO_LARGE_TEXT, type ReadAnswer } from './read-answer.js';

/** A service, with the means to call it. */
export interface CallingService extends CalledService {
  /** Follows redirects within the host only, and reads at most 10 MB. */
  readonly fetch: typeof fetch;
  /** Access tokens that `fetch` has sent, to be redacted from answers. */
  readonly sentTokens: ReadonlySet<string>;
  /** Milliseconds for one call, including the whole response body. */
  readonly timeoutMs: number;
}

/** An operation, with its effect after the tenant's override. */
export interface CalledOperation {
  readonly operation: Operation;
  readonly arguments: OperationArguments;
  readonly effect: ToolEffect;
}

/** Fraction of the timeout after which the request is aborted; the rest is needed to report the timeout. */
const PART_OF_TIME = 0.97;

/** Transient statuses: a retry may succeed. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Calls an operation. Responses, including errors, become answers as in 3.I-12. Throws a `PassingFailure` for a
 * transient failure, and the signal's reason if it aborts.
 */
export async function callOperation(
  { operation, arguments: given, effect }: CalledOperation,
  input: JsonObject,
  service: CallingService,
  { idempotencyKey, signal }: Pick<ToolContext, 'idempotencyKey' | 'signal'>,
): Promise<ToolReturn> {
  const built = buildRequest(operation, given, input, service, idempotencyKey);
  if (built.kind === 'unsendable') return errorAnswer(built.text);
  const deadline = AbortSignal.timeout(Math.ceil(service.timeoutMs * PART_OF_TIME));
  try {
    const answer = await send(built.request, service.fetch, AbortSignal.any([signal, deadline]));
    const read = readAnswer(answer, hideSecrets(service.credentials, service.sentTokens) ?? unchanged);
    // After a 5xx, an unsafe call may have taken effect.
    const mayPass = PASSING_STATUSES.has(answer.status) || (effect === 'unsafe' && answer.status >= 500);
    if (mayPass) throw new PassingFailure(read, answer.status);
    return read;
  } catch (error) {
    if (error instanceof PassingFailure || signal.aborted) throw error;
    return failedAnswer(error, effect, deadline.aborted ? service.timeoutMs : null);
  }
}

const unchanged = (text: string): string => text;

function failedAnswer(error: unknown, effect: ToolEffect, timedOutAfterMs: number | null): ToolReturn {
  if (timedOutAfterMs !== null) {
    const answer = errorAnswer(`Request timeout after ${(timedOutAfterMs / 1_000).toFixed(1)}s`);
    // No time is left for a retry, but it is unknown whether an unsafe call took effect.
    if (effect === 'unsafe') throw new PassingFailure(answer, null, { cause: error });
    return answer;
  }
  if (error instanceof ToolServerFailure) return withoutToken(error);
  if (error instanceof AnswerTooLong) return errorAnswer(TOO_LARGE_TEXT, { status: error.status });
  if (!(error instanceof NoAnswerError)) throw error;
  const answer = errorAnswer(NO_ANSWER_TEXTS[error.reason] ?? UNREACHABLE_TEXT);
  throw new PassingFailure(answer, null, { cause: error });
}

/** Without an access token, nothing was sent. */
function withoutToken(failure: ToolServerFailure): ToolReturn {
  const answer = errorAnswer(`The API cannot be called: ${failure.message}`);
  if (failure.fault !== 'unreachable') return answer;
  throw new PassingFailure(answer, null, { cause: new NoAnswerError('connection_failed', false) });
}

const UNREACHABLE_TEXT = 'The API cannot be reached';
const NO_ANSWER_TEXTS: Readonly<Partial<Record<string, string>>> = {
  blocked_address: REFUSED_ADDRESS_TEXT,
  invalid_url: REFUSED_ADDRESS_TEXT,
  invalid_certificate: 'The certificate of the API is not valid',
  refused_redirect: 'The API redirects too often',
  invalid_answer: 'The API did not answer with HTTP',
};

/** The response exceeds the read limit: the call was carried out. */
class AnswerTooLong extends Error {
  constructor(readonly status: number) {
    super('the answer was too long');
  }
}

async function send(
  { url, method, headers, body }: OperationRequest,
  fetchGuarded: typeof fetch,
  signal: AbortSignal,
): Promise<ReadAnswer> {
  const response = await fetchGuarded(url, {
    method,
    headers,
    ...(body !== null && { body: body as NonNullable<RequestInit['body']> }),
    signal,
  });
  try {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      status: response.status,
      headers: response.headers,
      body: bytes,
      url: response.url === '' ? url : response.url,
    };
  } catch (error) {
    if (error instanceof NoAnswerError && error.reason === 'too_long')
      throw new AnswerTooLong(response.status);
    throw error;
  }
}
