import { withBoundedRetry } from './bound-retry.js';
import { watchedCalls, type CallWatch } from './call-watch.js';
import { essenceOf, foreignContentType, readAnsweredError } from './http-answer.js';
import { brokenOff, failureOfFetch, failureOfStatus, type McpFailure } from './mcp-failure.js';
import { readSent } from './sent-message.js';

export interface WatchedFetchOptions {
  /** For short requests. */
  readonly fetch: typeof fetch;
  /** For calls that must not be repeated: each gets its own connection. */
  readonly ownFetch: typeof fetch;
  /** For streams that stay open as long as the connection. */
  readonly streamFetch: typeof fetch;
  /** Aborts all requests and streams. */
  readonly signal: AbortSignal;
  /** True if the server has opened a session. */
  readonly hasSession: () => boolean;
  /** True if another stream for server notifications may be opened. */
  readonly takesStream: () => boolean;
  /**
   * Called when the shared stream of all answers ends, after which no answer can arrive. Absent if each answer has its
   * own stream.
   */
  readonly onStreamEnd?: () => void;
}

/**
 * The `fetch` of one MCP connection. Records why a request has no answer, reports an answer's stream that ended early,
 * limits the number of streams, and bounds reconnection delays.
 */
export function watchedFetch(options: WatchedFetchOptions): typeof fetch {
  return async (input, init) => {
    const watch = watchedCalls.getStore();
    if (init?.method === 'GET' || init?.method === undefined) return openStream(input, init, watch, options);
    if (watch?.takesSending() !== true) return send(input, init, options);
    return sendWatched(input, init, watch, options);
  };
}

type Input = Parameters<typeof fetch>[0];

/**
 * Sends notifications, replies to the server, and the end of a session. Error statuses of notifications are ignored:
 * they have no answer (JSON-RPC 2.0, 4.1), and simple servers reject unknown ones.
 */
async function send(
  input: Input,
  init: RequestInit,
  { fetch, signal }: WatchedFetchOptions,
): Promise<Response> {
  const answer = await fetch(input, { ...init, signal: joined(signal, init.signal) });
  const isRefused = answer.status >= 400 && answer.status < 500 && !NOT_ALLOWED.has(answer.status);
  if (!isRefused || !readSent(init.body).isNotification) return answer;
  await answer.body?.cancel();
  return new Response(null, { status: 202 });
}

const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403]);

async function sendWatched(
  input: Input,
  init: RequestInit,
  watch: CallWatch,
  options: WatchedFetchOptions,
): Promise<Response> {
  const fetchOnce = watch.purpose === 'unsafe_call' ? options.ownFetch : options.fetch;
  let answer: Response;
  try {
    const signal = joined(options.signal, init.signal, watch.unwanted);
    answer = withBoundedRetry(await fetchOnce(input, { ...init, signal }));
  } catch (error) {
    watch.failure ??= failureOfFetch(error);
    throw error;
  }
  const { id } = readSent(init.body);
  if (!answer.ok) return readRefusal(answer, id, watch, options);
  // With a shared stream, the response to the POST carries no answer.
  if (options.onStreamEnd !== undefined) return answer;
  if (answer.status !== ACCEPTED)
    watch.failure ??= foreignContentType(answer.headers.get('content-type'), SPOKEN_TYPES);
  const whole = essenceOf(answer.headers.get('content-type') ?? '') === 'application/json';
  const read = whole ? await readJson(answer, id, watch) : answer;
  return watched(read, (failure) => watch.streamEnded(failure));
}

const ACCEPTED = 202;
const SPOKEN_TYPES = ['application/json', 'text/event-stream'] as const;

/** Reads an HTTP error; its body may hold a JSON-RPC error with the reason. */
async function readRefusal(
  answer: Response,
  id: string | number | undefined,
  watch: CallWatch,
  options: WatchedFetchOptions,
): Promise<Response> {
  const hasSession = options.hasSession();
  const failure = failureOfStatus(answer.status, hasSession);
  const isFirst = watch.failure === null;
  watch.failure ??= failure;
  const body = await answer.text().catch(() => '');
  const said = readAnsweredError(body, id);
  if (isFirst && said !== null) watch.failure = failureOfStatus(answer.status, hasSession, said);
  const { status, statusText, headers } = answer;
  return new Response(body, { status, statusText, headers });
}

/** Completes a JSON-RPC error without id, code or message, which the library would not recognise. */
async function readJson(
  answer: Response,
  id: string | number | undefined,
  watch: CallWatch,
): Promise<Response> {
  let body: string;
  try {
    body = await answer.text();
  } catch (error) {
    watch.failure ??= failureOfFetch(error);
    throw error;
  }
  const said = readAnsweredError(body, id);
  const { status, statusText, headers } = answer;
  if (said === null || id === undefined) return new Response(body, { status, statusText, headers });
  const error = { code: said.code, message: said.message };
  return Response.json({ jsonrpc: '2.0', id, error }, { status, statusText, headers });
}

async function openStream(
  input: Input,
  init: RequestInit | undefined,
  watch: CallWatch | undefined,
  options: WatchedFetchOptions,
): Promise<Response> {
  const isOfCall = watch !== undefined && watch.purpose !== 'connect';
  // The library takes "not offered" as final and does not reconnect.
  if (!(isOfCall ? watch.takesResumption() : options.takesStream())) return notOffered();
  const signal = joined(options.signal, init?.signal, isOfCall ? watch.unwanted : null);
  let answer: Response;
  try {
    answer = withBoundedRetry(await options.streamFetch(input, { ...init, signal }));
  } catch (error) {
    if (isOfCall) watch.resumed(false);
    else if (watch !== undefined) watch.failure ??= failureOfFetch(error);
    throw error;
  }
  if (isOfCall) watch.resumed(answer.ok);
  else if (watch !== undefined && !answer.ok) watch.failure ??= failureOfStatus(answer.status, false);
  else if (watch !== undefined && options.onStreamEnd !== undefined)
    watch.failure ??= foreignContentType(answer.headers.get('content-type'), ['text/event-stream']);
  const { onStreamEnd } = options;
  if (isOfCall || onStreamEnd === undefined || !answer.ok) return answer;
  return watched(answer, () => setImmediate(onStreamEnd));
}

function notOffered(): Response {
  return new Response(null, { status: 405 });
}

/** The same answer; calls `onEnd` once its body has ended in any way. */
function watched(answer: Response, onEnd: (failure: McpFailure) => void): Response {
  const end = brokenOff('the answer ended without a result');
  if (answer.body === null) {
    onEnd(end);
    return answer;
  }
  const body = ReadableStream.from(watchedBytes(answer.body, onEnd, end));
  const { status, statusText, headers } = answer;
  return new Response(body, { status, statusText, headers });
}

async function* watchedBytes(
  body: ReadableStream<Uint8Array>,
  onEnd: (failure: McpFailure) => void,
  end: McpFailure,
): AsyncGenerator<Uint8Array> {
  let failure = end;
  try {
    yield* body;
  } catch (error) {
    failure = brokenOff('the connection broke off', error);
    throw error;
  } finally {
    onEnd(failure);
  }
}

function joined(...signals: (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== null && signal !== undefined));
}
