import { redactText } from '#libs/agent-core';
import { NoAnswerError, REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import { ToolServerFailure, type ToolServerFault } from '#libs/tooling';
import { toLine } from './warnings.js';

/**
 * What became of a request. `unsent`: the server has seen nothing of it. `session_lost`: it knows the session no more and
 * has done nothing. `rejected`: it answered that the request failed, by an HTTP status or a JSON-RPC error. `broken`: it may
 * have acted, and no answer says so.
 */
export type McpFailureKind = 'unsent' | 'session_lost' | 'rejected' | 'broken';

/** An error object of JSON-RPC 2.0 that a server answered. */
export interface AnsweredError {
  readonly code: number;
  readonly message: string;
}

/** The HTTP status 4xx that does not say whether the request was executed. */
const REQUEST_TIMEOUT = 408;

interface McpFailureOptions extends ErrorOptions {
  readonly status?: number;
  readonly serverText?: string;
  readonly fault?: ToolServerFault;
}

/**
 * Why a server gave no result. The message is ours, without any text of the server, an address or a header; what the server
 * itself said is in `serverText`.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  /** For whoever judges whether a call took effect, or may be repeated. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  /** Of a JSON-RPC error: written for whoever called. */
  readonly serverText: string | undefined;
  /** Its consequence for the use of the server; undefined where the other fields say it. */
  readonly fault: ToolServerFault | undefined;

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    options: McpFailureOptions = {},
  ) {
    super(message, options);
    this.status = options.status;
    this.fault = options.fault;
    // As if nobody had listened: it comes to the same.
    this.code = kind === 'unsent' ? 'ECONNREFUSED' : undefined;
    this.serverText = options.serverText;
  }
}

/**
 * By the status of an HTTP answer to a request.
 *
 * @param said the JSON-RPC error in its body; null where there is none. One that answers the request itself is an answer,
 *   with any status.
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

/** By the error that a server answered in JSON-RPC. */
export function failureOfAnswer(error: AnsweredError): McpFailure {
  const kind = speaksOfTransport(error) ? 'broken' : 'rejected';
  return new McpFailure(kind, `the server answered the error ${error.code}`, { serverText: error.message });
}

/** Codes and words of MCP libraries for a connection that broke, and a request without an answer in time. */
const TRANSPORT_CODES: ReadonlySet<number> = new Set([-32_000, -32_001]);
const TRANSPORT_WORDS =
  /^(connection closed|request was cancelled|(request|maximum total) time.?out|request timed out)/i;

/**
 * True where a connection broke, or a request was not answered in time: between us and the server, as the library says it,
 * or behind a gateway that passes on the words of its own library. Any other error is the server's answer.
 */
export function speaksOfTransport({ code, message }: AnsweredError): boolean {
  return TRANSPORT_CODES.has(code) && TRANSPORT_WORDS.test(message);
}

/** By what `fetch` threw. */
export function failureOfFetch(error: unknown): McpFailure {
  const refusal = serverFailureBehind(error);
  // Without a token nothing was sent that the server would have acted on.
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

/** An answer that is no MCP: it may have followed on an execution of the request, and will not be otherwise later. */
export function foreignSpeech(message: string, cause?: unknown): McpFailure {
  return new McpFailure('broken', message, { cause, fault: 'protocol' });
}

/** What an opening rejects with. */
export function toServerFailure(error: unknown): ToolServerFailure {
  const known = serverFailureBehind(error);
  if (known !== null) return known;
  const [fault, message] = explain(error);
  return new ToolServerFailure(fault, message, { cause: error });
}

/** Characters of what a server says that are shown when it cannot be used. */
const LONGEST_SAID = 200;

/** Statuses that gateways answer while the server behind them is away or busy. */
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
  const said = serverText === undefined ? '' : `: ${redactText(toLine(serverText, LONGEST_SAID))}`;
  if (status === 401 || status === 403) return ['unauthorized', `${error.message}${said}`];
  if (status !== undefined) return [PASSING_STATUSES.get(status) ?? 'refused', `${error.message}${said}`];
  if (serverText !== undefined) return ['protocol', `${error.message}${said}`];
  if (reason === 'invalid_certificate') return ['unreachable', 'the certificate of the server is not valid'];
  if (reason === 'unknown_host') return ['unreachable', 'there is no server of this name'];
  if (kind === 'unsent') return ['unreachable', 'the server cannot be reached'];
  return ['unreachable', error.message];
}

/** What a server failed with by itself, such as for want of a token, wherever the library has put it. */
export function serverFailureBehind(error: unknown): ToolServerFailure | null {
  for (let next = error; next instanceof Error; next = next.cause)
    if (next instanceof ToolServerFailure) return next;
  return null;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Why the guarded fetch has no answer: the library wraps what it threw. */
function noAnswerBehind(error: unknown): NoAnswerError | null {
  for (let next = error; next instanceof Error; next = next.cause)
    if (next instanceof NoAnswerError) return next;
  return null;
}
