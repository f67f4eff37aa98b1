import { withBoundedRetry } from './bound-retry.js';
import { watchedCalls, type CallWatch } from './call-watch.js';
import { brokenOff, failureOfFetch, failureOfStatus, type McpFailure } from './mcp-failure.js';

export interface WatchedFetchOptions {
  /** For requests that are over soon. */
  readonly fetch: typeof fetch;
  /** The same, each on a connection of its own: for calls that must not be repeated. */
  readonly ownFetch: typeof fetch;
  /** For streams that are open as long as the connection. */
  readonly streamFetch: typeof fetch;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Whether the server has given a session. */
  readonly hasSession: () => boolean;
  /** Whether to open another stream for what the server says unasked. */
  readonly takesStream: () => boolean;
  /** A stream ended that carries all answers: nothing will be answered any more. Absent where each has its own. */
  readonly onStreamEnd?: () => void;
}

/**
 * The `fetch` of one MCP connection. It notes why a request has no answer, says so where the stream of an answer ends
 * without one, opens no more streams than make sense, and bounds how soon and how late a server may ask for another.
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

/** Notifications, answers to what the server asks, the end of a session. */
function send(input: Input, init: RequestInit, { fetch, signal }: WatchedFetchOptions): Promise<Response> {
  return fetch(input, { ...init, signal: joined(signal, init.signal) });
}

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
  if (!answer.ok) watch.failure ??= failureOfStatus(answer.status, options.hasSession());
  // Where all answers share a stream, what a request itself is answered says nothing.
  if (!answer.ok || options.onStreamEnd !== undefined) return answer;
  return watched(answer, (failure) => watch.streamEnded(failure));
}

async function openStream(
  input: Input,
  init: RequestInit | undefined,
  watch: CallWatch | undefined,
  options: WatchedFetchOptions,
): Promise<Response> {
  const isOfCall = watch !== undefined && watch.purpose !== 'connect';
  // "Not offered" is what the library takes for an answer, and asks no further.
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
  const { onStreamEnd } = options;
  if (isOfCall || onStreamEnd === undefined || !answer.ok) return answer;
  return watched(answer, () => setImmediate(onStreamEnd));
}

function notOffered(): Response {
  return new Response(null, { status: 405 });
}

/** The same answer; `onEnd` is called once its body has ended, however that was. */
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
