import { redactText } from '#libs/agent-core';
import { NoAnswerError, REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import { ToolServerFailure, type ToolServerFault } from '#libs/tooling';
import { toLine } from './warnings.js';

/**
 * Outcome of a failed request. `unsent`: it did not reach the server. `session_lost`: the server forgot the session and
 * did nothing. `rejected`: an HTTP status or JSON-RPC error reports failure. `broken`: the outcome is unknown.
 */
export type McpFailureKind = 'unsent' | 'session_lost' | 'rejected' | 'broken';

/** A JSON-RPC 2.0 error object from a server. */
export interface AnsweredError {
  readonly code: number;
  readonly message: string;
}

/** The only status 4xx that leaves open whether the request was executed. */
const REQUEST_TIMEOUT = 408;

interface McpFailureOptions extends ErrorOptions {
  readonly status?: number;
  readonly serverText?: string;
  readonly fault?: ToolServerFault;
}

/**
 * The reason for a missing result. The message contains no server text, address or header; server text is in
 * `serverText` only.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  /** Read by `mayHaveTakenEffect` and `isTransient`. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Message of the server's JSON-RPC error, written for the caller. */
  readonly serverText: string | undefined;
  /** Fault of the server for `toServerFailure`; undefined if the other fields determine it. */
  readonly fault: ToolServerFault | undefined;

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    options: McpFailureOptions = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.fault = options.fault;
    // Treated like a refused connection, because nothing was sent either.
    this.code = kind === 'unsent' ? 'ECONNREFUSED' : undefined;
    this.serverText = options.serverText;
  }
}

/**
 * Classifies an HTTP error status.
 *
 * @param said the JSON-RPC error in the body; null if there is none. An error that answers the request itself counts as
 *   an answer, with any status.
 */
export function failureOfStatus(
  status: number,
  hasSession: boolean,
  said: (AnsweredError & { readonly isOfRequest: boolean }) | null = null,
): McpFailure {
  const message = `the server answered ${status}`;
  if (status === 404 && hasSession) return new McpFailure('session_lost', message, { status });
  const isRejected = status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
  const isAnswered = said?.isOfRequest === true && !speaksOfTransport(said);
  const kind = isRejected || isAnswered ? 'rejected' : 'broken';
  return new McpFailure(kind, message, { status, ...(said !== null && { serverText: said.message }) });
}

/** Classifies a JSON-RPC error. */
export function failureOfAnswer(error: AnsweredError): McpFailure {
  const kind = speaksOfTransport(error) ? 'broken' : 'rejected';
  return new McpFailure(kind, `the server answered the error ${error.code}`, { serverText: error.message });
}

/** Codes and messages that MCP libraries use for broken connections and timeouts. */
const TRANSPORT_CODES: ReadonlySet<number> = new Set([-32_000, -32_001]);
const TRANSPORT_WORDS =
  /^(connection closed|request was cancelled|(request|maximum total) time.?out|request timed out)/i;

/**
 * True for a broken connection or a timeout, reported by our library or passed on by a gateway's library. Any other
 * error is the server's answer.
 */
export function speaksOfTransport({ code, message }: AnsweredError): boolean {
  return TRANSPORT_CODES.has(code) && TRANSPORT_WORDS.test(message);
}

/** Classifies an error thrown by `fetch`. */
export function failureOfFetch(error: unknown): McpFailure {
  const refusal = serverFailureBehind(error);
  // Without an access token, the request had no effect at the server.
  if (refusal !== null)
    return new McpFailure(refusal.fault === 'unreachable' ? 'unsent' : 'rejected', refusal.message, {
      cause: refusal,
    });
  if (noAnswerBehind(error)?.mayHaveBeenSent === false)
    return new McpFailure('unsent', 'the server cannot be reached', { cause: error });
  return brokenOff('the connection broke off', error);
}

export function brokenOff(message: string, cause?: unknown): McpFailure {
  return new McpFailure('broken', message, { cause });
}

/** The response is not MCP: the request may have been executed, and a retry would not help. */
export function foreignSpeech(message: string, cause?: unknown): McpFailure {
  return new McpFailure('broken', message, { cause, fault: 'protocol' });
}

/** Converts any error to the rejection of an opening. */
export function toServerFailure(error: unknown): ToolServerFailure {
  const known = serverFailureBehind(error);
  if (known !== null) return known;
  const [fault, message] = explain(error);
  return new ToolServerFailure(fault, message, { cause: error });
}

/** Maximum characters of server text shown for an unusable server. */
const MAX_SAID = 200;

/** Statuses that gateways send while their server is down or busy. */
const PASSING_STATUSES: ReadonlyMap<number, ToolServerFault> = new Map([
  [408, 'unreachable'],
  [429, 'overloaded'],
  [502, 'unreachable'],
  [503, 'unreachable'],
  [504, 'unreachable'],
]);

function explain(error: unknown): [ToolServerFault, string] {
  const reason = noAnswerBehind(error)?.reason;
  if (reason === 'blocked_address' || reason === 'invalid_url' || reason === 'refused_redirect')
    return ['refused_address', REFUSED_ADDRESS_TEXT];
  if (codeOf(error) === 'ERR_INVALID_URL') return ['refused_address', REFUSED_ADDRESS_TEXT];
  if (reason === 'too_long') return ['protocol', 'the server answered with more than is read'];
  if (reason === 'invalid_answer') return ['protocol', 'the server did not answer with HTTP'];
  if (!(error instanceof McpFailure)) return ['protocol', 'what answers does not speak MCP'];
  const { status, kind, serverText, fault } = error;
  if (fault !== undefined) return [fault, error.message];
  const said = serverText === undefined ? '' : `: ${redactText(toLine(serverText, MAX_SAID))}`;
  if (status === 401 || status === 403) return ['unauthorized', `${error.message}${said}`];
  if (status !== undefined) return [PASSING_STATUSES.get(status) ?? 'refused', `${error.message}${said}`];
  if (serverText !== undefined) return ['protocol', `${error.message}${said}`];
  if (reason === 'invalid_certificate') return ['unreachable', 'the certificate of the server is not valid'];
  if (reason === 'unknown_host') return ['unreachable', 'there is no server of this name'];
  if (kind === 'unsent') return ['unreachable', 'the server cannot be reached'];
  return ['unreachable', error.message];
}

/** The `ToolServerFailure` in the chain of causes, e.g. a missing token; the library may have wrapped it. */
export function serverFailureBehind(error: unknown): ToolServerFailure | null {
  for (let next = error; next instanceof Error; next = next.cause)
    if (next instanceof ToolServerFailure) return next;
  return null;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** The guarded fetch's error in the chain of causes; the library wraps it. */
function noAnswerBehind(error: unknown): NoAnswerError | null {
  for (let next = error; next instanceof Error; next = next.cause)
    if (next instanceof NoAnswerError) return next;
  return null;
}
