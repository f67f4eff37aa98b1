import { errors } from 'undici';
import { BlockedAddressError } from './guarded-connect.js';

/** Why a URL gave no answer. Safe to show to its owner: says nothing about our network or about exceptions. */
export type FetchFailureReason =
  /** Not http or https, or with a user name or password in it. */
  | 'invalid_url'
  /** The host is, at least by one of its addresses, not public. */
  | 'blocked_address'
  /** There is no such name, or it has no address. */
  | 'unknown_host'
  /** No name server has said whether there is. */
  | 'unresolved_host'
  | 'invalid_certificate'
  | 'connection_failed'
  /** What came back was not HTTP. */
  | 'invalid_answer'
  | 'timeout'
  /** The caller did not want it any more. */
  | 'aborted'
  /** What was to be sent could not be read to its end. */
  | 'unsendable_body'
  /** One redirect too many, or one that leads where the request must not go; only where redirects are followed. */
  | 'refused_redirect';

const BY_CODE: readonly (readonly [RegExp, FetchFailureReason])[] = [
  [/^(UND_ERR_(CONNECT|HEADERS)_TIMEOUT|ETIMEDOUT)$/, 'timeout'],
  [/^(ENOTFOUND|ENODATA)$/, 'unknown_host'],
  [/^EAI_\w+$/, 'unresolved_host'],
  [/^(ERR_(TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/, 'invalid_certificate'],
  [/^UND_ERR_(HEADERS_OVERFLOW|RES_\w+)$/, 'invalid_answer'],
];

/** The reason behind an error of the HTTP client; `connection_failed` when it is none of the others. */
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

/** Outermost first; several addresses tried in vain come as one `AggregateError`. */
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
