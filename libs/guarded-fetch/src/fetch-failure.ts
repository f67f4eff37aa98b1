import { errors } from 'undici';
import { BlockedAddressError } from './guarded-connect.js';

/** Why a URL gave no response. Safe to show to the URL's owner: reveals neither the internal network nor exceptions. */
export type FetchFailureReason =
  /** Neither http nor https, or with a user name or password. */
  | 'invalid_url'
  /** At least one address of the host is not public. */
  | 'blocked_address'
  /** The name does not exist, or has no address. */
  | 'unknown_host'
  /** No name server responded. */
  | 'unresolved_host'
  | 'invalid_certificate'
  | 'connection_failed'
  /** The response was not HTTP. */
  | 'invalid_answer'
  | 'timeout'
  /** The caller aborted the request. */
  | 'aborted'
  /** One redirect too many, or a redirect outside the permitted scope; only if redirects are followed. */
  | 'refused_redirect';

const BY_CODE: readonly (readonly [RegExp, FetchFailureReason])[] = [
  [/^(UND_ERR_(CONNECT|HEADERS)_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ENOTFOUND|ENODATA)$/, 'unknown_host'],
  [/^EAI_\w+$/, 'unresolved_host'],
  [/^(ERR_(TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/, 'invalid_certificate'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_\w+)$/, 'invalid_answer'],
];

/** The reason for an error of the HTTP client; `connection_failed` if no other applies. */
export function reasonOf(error: unknown): FetchFailureReason {
  for (const cause of causesOf(error)) {
    if (cause instanceof BlockedAddressError) return 'blocked_address';
    if (cause instanceof errors.HTTPParserError) return 'invalid_answer';
    const code = codeOf(cause);
    const found = BY_CODE.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return found[1];
  }
  return 'connection_failed';
}

/** Yields errors outermost first; several failed addresses come as one `AggregateError`. */
function* causesOf(error: unknown): Generator<object> {
  if (typeof error !== 'object' || error === null) return;
  yield error;
  if ('errors' in error && Array.isArray(error.errors))
    for (const inner of error.errors) yield* causesOf(inner);
  if ('cause' in error) yield* causesOf(error.cause);
}

function codeOf(error: object): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Failures that a retry may resolve. */
const PASSING: ReadonlySet<FetchFailureReason> = new Set([
  'unknown_host',
  'unresolved_host',
  'connection_failed',
  'timeout',
]);

/**
 * A URL gave no response, or an incomplete one. Its message is safe to show: it reveals neither the internal network
 * nor the request.
 */
export class NoAnswerError extends Error {
  /**
   * For the decision on a retry. If the server may have acted: `FETCH_BROKE_OFF`, or `FETCH_IN_VAIN` if a retry would
   * end the same. If it received nothing: `FETCH_NOT_REACHED`, or `FETCH_NOT_SENT` if a retry would end the same.
   */
  readonly code: 'FETCH_BROKE_OFF' | 'FETCH_IN_VAIN' | 'FETCH_NOT_REACHED' | 'FETCH_NOT_SENT';

  constructor(
    readonly reason: FetchFailureReason | 'too_long',
    /** Whether any byte of the request may have reached the server. */
    readonly mayHaveBeenSent: boolean,
  ) {
    super(`the address gave no answer: ${reason}`);
    this.name = 'NoAnswerError';
    const isPassing = reason !== 'too_long' && PASSING.has(reason);
    if (mayHaveBeenSent) this.code = isPassing ? 'FETCH_BROKE_OFF' : 'FETCH_IN_VAIN';
    else this.code = isPassing ? 'FETCH_NOT_REACHED' : 'FETCH_NOT_SENT';
  }
}
