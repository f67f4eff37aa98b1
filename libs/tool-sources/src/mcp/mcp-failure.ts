import { NoAnswerError, REFUSED_ADDRESS_TEXT } from '#libs/guarded-fetch';
import { ToolOutcomeUnknown, ToolServerFailure, type ToolServerFault } from '#libs/tooling';

/**
 * What became of a request. `unsent`: the server has seen nothing of it. `session_lost`: it knows the session no more and
 * has done nothing. `rejected`: it answered an HTTP status or a JSON-RPC error that means that it did nothing. `broken`: it
 * may have acted, and no answer says so.
 */
export type McpFailureKind = 'unsent' | 'session_lost' | 'rejected' | 'broken';

/** HTTP 4xx that say that it may be otherwise a moment later, or that it took too long. */
const REQUEST_TIMEOUT = 408;

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

  constructor(
    readonly kind: McpFailureKind,
    message: string,
    options: ErrorOptions & { readonly status?: number; readonly serverText?: string } = {},
  ) {
    super(message, options);
    this.status = options.status;
    // As if nobody had listened: it comes to the same.
    this.code = kind === 'unsent' ? 'ECONNREFUSED' : undefined;
    this.serverText = options.serverText;
  }
}

/** By the status of an HTTP answer to a request. */
export function failureOfStatus(status: number, hasSession: boolean): McpFailure {
  const message = `the server answered ${status}`;
  if (status === 404 && hasSession) return new McpFailure('session_lost', message, { status });
  const isRejected = status >= 300 && status < 500 && status !== REQUEST_TIMEOUT;
  return new McpFailure(isRejected ? 'rejected' : 'broken', message, { status });
}

/** JSON-RPC errors that are found before a tool runs: no request, no such method, wrong parameters, not without a person. */
const NOT_RUN: ReadonlySet<number> = new Set([-32_600, -32_601, -32_602, -32_700, -32_042]);

/** By the error that a server answered in JSON-RPC. */
export function failureOfAnswer(code: number, serverText: string): McpFailure {
  return new McpFailure(NOT_RUN.has(code) ? 'rejected' : 'broken', `the server answered the error ${code}`, {
    serverText,
  });
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

/** What a tool throws: `mayHaveTakenEffect` and `retryTransient` go by it. */
export function toThrown(failure: unknown): Error {
  if (!(failure instanceof McpFailure)) return new ToolOutcomeUnknown('the call failed', { cause: failure });
  if (failure.kind === 'broken') return new ToolOutcomeUnknown(failure.message, { cause: failure.cause });
  return failure;
}

/** What an opening rejects with. */
export function toServerFailure(error: unknown): ToolServerFailure {
  const known = serverFailureBehind(error);
  if (known !== null) return known;
  const [fault, message] = explain(error);
  return new ToolServerFailure(fault, message, { cause: error });
}

function explain(error: unknown): [ToolServerFault, string] {
  const reason = noAnswerBehind(error)?.reason;
  if (reason === 'blocked_address' || reason === 'invalid_url' || reason === 'refused_redirect')
    return ['refused_address', REFUSED_ADDRESS_TEXT];
  if (codeOf(error) === 'ERR_INVALID_URL') return ['refused_address', REFUSED_ADDRESS_TEXT];
  if (!(error instanceof McpFailure)) return ['protocol', 'what answers does not speak MCP'];
  const { status, kind } = error;
  if (status === 401 || status === 403) return ['unauthorized', `the server answered ${status}`];
  if (status !== undefined) return ['refused', `the server answered ${status}`];
  if (error.serverText !== undefined) return ['protocol', error.message];
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
