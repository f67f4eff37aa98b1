import { ApiError, ConnectionError, placeOf, TimeoutError } from '../client/index.js';
import { EXIT } from './exit-codes.js';

export interface Explanation {
  /** Lines for a person. */
  readonly lines: readonly string[];
  readonly exitCode: number;
  readonly code: string | null;
  readonly requestId: string | null;
}

/** A command that its arguments do not allow. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The failure in plain words. Pure. */
export function explainError(error: unknown, baseUrl: string): Explanation {
  if (error instanceof ApiError) return explainAnswer(error);
  const bare = { code: null, requestId: null };
  if (error instanceof UsageError) return { ...bare, lines: [error.message], exitCode: EXIT.usage };
  if (error instanceof TimeoutError) {
    return { ...bare, lines: [`${baseUrl} does not answer: ${error.message}`], exitCode: EXIT.unreachable };
  }
  if (error instanceof ConnectionError) {
    const lines = [
      `${baseUrl} cannot be reached${reasonOf(error.cause)}.`,
      'Is the service up, and is the address right? Set CAPSTAN_BASE_URL, or give --base-url.',
    ];
    return { ...bare, lines, exitCode: EXIT.unreachable };
  }
  return { ...bare, lines: [error instanceof Error ? error.message : String(error)], exitCode: EXIT.refused };
}

function explainAnswer(error: ApiError): Explanation {
  const { status, code, problem, errors, requestId, retryAfterMs } = error;
  const lines = [
    problem === null
      ? `The answer is ${status}, without a reason.`
      : `${problem.detail || problem.title} (${code})`,
    ...errors.map((fault) => `  ${placeOf(fault)}: ${fault.detail}`),
    ...adviceFor(status, retryAfterMs),
    ...(requestId === null ? [] : [`Request ${requestId}`]),
  ];
  return { lines, exitCode: EXIT.refused, code, requestId };
}

function adviceFor(status: number, retryAfterMs: number | null): string[] {
  if (status === 401) return ['Set CAPSTAN_API_KEY to a key of this service.'];
  if (status === 403) return ['The key lacks a scope: capstan doctor shows those that it has.'];
  if (status === 429 && retryAfterMs !== null) return [`Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`];
  return [];
}

/** The code of the system, such as ECONNREFUSED, which `fetch` hides in causes; else the last message among them. */
function reasonOf(cause: unknown): string {
  let message = '';
  for (let at = cause; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return ` (${at.code})`;
    message = ` (${at.message})`;
  }
  return message;
}
