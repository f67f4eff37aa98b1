import { ToolNotBegun } from './tool-not-begun.js';
import { ToolOutcomeUnknown } from './tool-outcome-unknown.js';

/**
 * True if a call of an `unsafe` tool may have taken effect although it threw. Deliberate errors (an `Error`, a subclass
 * of it, an HTTP status 4xx except 408) and errors before anything was sent or begun mean no effect. All others may
 * have come after the effect: an aborted or broken request, status 5xx, a lost database connection, or an unintended
 * error such as a `SyntaxError` while a successful response is parsed.
 */
export function mayHaveTakenEffect(thrown: unknown): boolean {
  const chain = chainOf(thrown);
  if (chain.some((error) => error instanceof ToolOutcomeUnknown)) return true;
  if (chain.some((error) => error instanceof ToolNotBegun)) return false;
  if (chain.some((error) => NEVER_SENT.test(codeOf(error)))) return false;
  return chain.some(isOpen);
}

/**
 * True if retrying a repeatable call shortly may succeed: the server was unreachable, busy, or closed the connection,
 * or the outcome is unknown. Business errors, rejected requests and program errors are permanent.
 */
export function isTransient(thrown: unknown): boolean {
  const chain = chainOf(thrown);
  if (chain.some((error) => error instanceof ToolOutcomeUnknown)) return true;
  return chain.some((error) => {
    const code = codeOf(error);
    if (NOT_REACHED.test(code) || BROKE_OFF.test(code) || DATABASE_WENT_AWAY.test(code)) return true;
    const status = statusOf(error);
    if (status !== null) return TRANSIENT_STATUSES.has(status);
    return textOf(error, 'name') === 'TimeoutError' || BROKE_OFF_TEXT.test(textOf(error, 'message'));
  });
}

/**
 * True if no response arrived: the server was not reached, or the connection broke. An error response counts as a
 * response.
 */
export function wasUnreachable(thrown: unknown): boolean {
  const codes = chainOf(thrown).map(codeOf);
  return codes.some((code) => NOT_REACHED.test(code) || BROKE_OFF.test(code));
}

/** The transient part of {@link NEVER_SENT}. Codes with `FETCH_` come from the guarded fetch. */
const NOT_REACHED =
  /^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|FETCH_NOT_REACHED)$/;

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Failures before the request was sent: refused, not found, not connected, or invalid. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|FETCH_NOT_(SENT|REACHED))$/;

/** The connection broke, or the request was aborted, before the response arrived. */
const BROKE_OFF =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_.*|HPE_.*|UND_ERR_.*|FETCH_BROKE_OFF)$/;

/** The server received the request and gave no usable answer; a repeat would fare the same. */
const IN_VAIN = /^FETCH_IN_VAIN$/;

/** SQLSTATEs of a lost connection or server, and of a commit with an unknown result. */
const DATABASE_WENT_AWAY = /^(08[0-9A-Z]{3}|57P0[0-9A-Z]|40003)$/;

/** Messages of clients that set no `code` for a broken connection. */
const BROKE_OFF_TEXT = /socket hang up|connection terminated/i;

/** Errors that the runtime and parsers throw, matched by name because `instanceof` fails across realms. */
const NOT_ON_PURPOSE = new Set([
  'AbortError',
  'TimeoutError',
  'TypeError',
  'SyntaxError',
  'RangeError',
  'ReferenceError',
  'URIError',
  'EvalError',
  'ZodError',
]);

function isOpen(error: object): boolean {
  const code = codeOf(error);
  if (BROKE_OFF.test(code) || IN_VAIN.test(code) || DATABASE_WENT_AWAY.test(code)) return true;
  const status = statusOf(error);
  if (status !== null) return status >= 500 || status === 408;
  if (NOT_ON_PURPOSE.has(textOf(error, 'name'))) return true;
  return BROKE_OFF_TEXT.test(textOf(error, 'message'));
}

const MAX_CHAIN = 10;

/** The error followed by its chain of causes, at most 10 in all. */
function chainOf(thrown: unknown): object[] {
  const chain: object[] = [];
  for (let next = thrown; isObject(next) && chain.length < MAX_CHAIN; next = fieldOf(next, 'cause'))
    chain.push(next);
  return chain;
}

function codeOf(error: object): string {
  return textOf(error, 'code');
}

/** HTTP status, in the places where common clients store it. */
function statusOf(error: object): number | null {
  const response = fieldOf(error, 'response');
  const places = [fieldOf(error, 'status'), fieldOf(error, 'statusCode')];
  if (isObject(response)) places.push(fieldOf(response, 'status'), fieldOf(response, 'statusCode'));
  return places.find((place) => typeof place === 'number') ?? null;
}

function textOf(error: object, field: string): string {
  const value = fieldOf(error, field);
  return typeof value === 'string' ? value : '';
}

/** Reading a property of a thrown value may itself throw, e.g. through a getter or proxy. */
function fieldOf(object: object, field: string): unknown {
  try {
    return Reflect.get(object, field);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
