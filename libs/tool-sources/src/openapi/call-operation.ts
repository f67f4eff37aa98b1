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

/** A service, and how its operations are called. */
export interface CallingService extends CalledService {
  /** Follows redirects within a host only, and reads 10 MB at most. */
  readonly fetch: typeof fetch;
  /** Access tokens that `fetch` has sent along. */
  readonly sentTokens: ReadonlySet<string>;
  /** Milliseconds of one call, to the last byte of its answer. */
  readonly timeoutMs: number;
}

/** One operation as it is called: what a repeat of it does is as its tenant declares. */
export interface CalledOperation {
  readonly operation: Operation;
  readonly arguments: OperationArguments;
  readonly effect: ToolEffect;
}

/** The rest of a call's time is for saying that it took too long: who waits for the call says nothing of why. */
const PART_OF_TIME = 0.97;

/** Of these, what was asked for may be carried out a moment later. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Calls an operation. What the service says comes back as an answer, errors too, in the words of 3.I-12. Throws a
 * `PassingFailure` for what may be otherwise a moment later, and what the signal says when that aborts.
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
    // An unsafe call may have taken effect whatever an error of the server says.
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
    // There is no time for another try; but that an unsafe call took effect is not known.
    if (effect === 'unsafe') throw new PassingFailure(answer, null, { cause: error });
    return answer;
  }
  if (error instanceof ToolServerFailure) return withoutToken(error);
  if (error instanceof AnswerTooLong) return errorAnswer(TOO_LARGE_TEXT, { status: error.status });
  if (!(error instanceof NoAnswerError)) throw error;
  const answer = errorAnswer(NO_ANSWER_TEXTS[error.reason] ?? UNREACHABLE_TEXT);
  throw new PassingFailure(answer, null, { cause: error });
}

/** There was no access token to call with: nothing was sent. */
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

/** The service answered, with more than is read: the call was carried out. */
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
