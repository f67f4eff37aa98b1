import { ToolNotBegun } from './tool-not-begun.js';
import { ToolOutcomeUnknown } from './tool-outcome-unknown.js';

/**
 * Whether a call of an `unsafe` tool that threw may have taken effect all the same.
 *
 * An error that the tool chose to throw (an `Error`, a class of its own, an answer 4xx) is its word that nothing happened.
 * So is one that says that the request was never sent, or that nothing was begun. Everything else may have come after the
 * effect: a request that broke off or was given up, an answer 5xx, a database that went away, and what nobody throws on
 * purpose, such as a `SyntaxError` over the answer to a request that had succeeded.
 */
export function mayHaveTakenEffect(thrown: unknown): boolean {
  const chain = chainOf(thrown);
  if (chain.some((error) => error instanceof ToolOutcomeUnknown)) return true;
  if (chain.some((error) => error instanceof ToolNotBegun)) return false;
  if (chain.some((error) => NEVER_SENT.test(codeOf(error)))) return false;
  return chain.some(isOpen);
}

/**
 * Whether a call that may be repeated has a chance when it is, a moment later: the other side was not reached, broke
 * off, was busy or did not say what became of the call. What the tool found out, a request that is refused, and a fault
 * of the program stay as they are.
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

/** Whether nobody answered, as far as anybody knows: not reached, or broke off. Whoever answers an error is there. */
export function foundNobody(thrown: unknown): boolean {
  const codes = chainOf(thrown).map(codeOf);
  return codes.some((code) => NOT_REACHED.test(code) || BROKE_OFF.test(code));
}

/** Of {@link NEVER_SENT}, what may be otherwise a moment later. Codes with `FETCH_` are those of the guarded fetch. */
const NOT_REACHED =
  /^(ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|FETCH_NOT_REACHED)$/;

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Refused, not found or not connected before anything was sent; or the database took nothing of the statement. */
const NEVER_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_INVALID_URL|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|FETCH_NOT_(SENT|REACHED))$/;

/** The connection ended, or was given up, while somebody waited for the answer. */
const BROKE_OFF =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ESOCKETTIMEDOUT|ABORT_ERR|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_.*|HPE_.*|UND_ERR_.*|FETCH_BROKE_OFF)$/;

/** The other side was asked and gave no usable answer, as it would again. */
const IN_VAIN = /^FETCH_IN_VAIN$/;

/** SQLSTATE of a connection or server that went away, and of a commit whose result is not known. */
const DATABASE_WENT_AWAY = /^(08[0-9A-Z]{3}|57P0[0-9A-Z]|40003)$/;

/** Some clients say it without a code. */
const BROKE_OFF_TEXT = /socket hang up|connection terminated/i;

/** What the language and parsers throw by themselves, by name: in another realm `instanceof` does not know them. */
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

const LONGEST_CHAIN = 10;

/** The error, what caused it, and so on. */
function chainOf(thrown: unknown): object[] {
  const chain: object[] = [];
  for (let next = thrown; isObject(next) && chain.length < LONGEST_CHAIN; next = fieldOf(next, 'cause'))
    chain.push(next);
  return chain;
}

function codeOf(error: object): string {
  return textOf(error, 'code');
}

/** The HTTP status, where the usual clients put it. */
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

/** Whatever was thrown may throw itself when it is looked at. */
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
