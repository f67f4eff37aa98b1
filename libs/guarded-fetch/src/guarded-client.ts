import { fetch as fetchByUndici, type Agent, type Response as AnswerOfUndici } from 'undici';
import { AnswerBrokenOff, boundedBytes } from './bounded-bytes.js';
import { type FetchFailureReason, NoAnswerError, reasonOf } from './fetch-failure.js';
import { guardedAgent, type GuardOptions } from './guarded-connect.js';
import { type PrivateHost, privateHostsOf } from './address-policy.js';
import { isPlainHttp, nextHop, type Hop, type RedirectScope } from './redirects.js';
import { watchedDispatch } from './watched-dispatch.js';

export interface GuardedClientOptions extends Pick<
  GuardOptions,
  'allowLoopback' | 'ca' | 'lookup' | 'connectionsPerOrigin'
> {
  /** Private hosts of all tenants; a tenant may reach its own and the shared ones. */
  readonly privateHosts: readonly PrivateHost[];
}

/** Limits of the requests of one use. */
export interface GuardedFetchLikeOptions {
  readonly tenantId: string;
  /** Milliseconds until the response headers, per request; default 30 000. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds that a body may be silent; default 60 000. A long-lived stream sets a longer time. */
  readonly silenceMs?: number;
  /** Maximum bytes of a response body after decompression; default 10 MiB. */
  readonly mostReadBytes?: number;
  /** Maximum redirects; default 5. With 0 the redirect itself is the response. */
  readonly mostRedirects?: number;
  /** Permitted targets of redirects; default everywhere. */
  readonly redirectScope?: RedirectScope;
  /**
   * Whether a request gets a connection of its own; default false. Needed for requests that must not be repeated: if
   * the server closes an idle connection during the request, it is unknown whether the request took effect.
   */
  readonly needsOwnConnection?: (url: URL, init: RequestInit | undefined) => boolean;
}

type Limits = Required<GuardedFetchLikeOptions>;

const DEFAULTS = {
  headersTimeoutMs: 30_000,
  silenceMs: 60_000,
  mostReadBytes: 10 * 1_024 * 1_024,
  mostRedirects: 5,
  redirectScope: 'everywhere' as const,
  needsOwnConnection: () => false,
};

/** Milliseconds to establish a connection. */
const CONNECT_TIMEOUT_MS = 10_000;

interface Connections {
  readonly kept: Agent;
  readonly own: Agent;
}

/**
 * Connections to servers that tenants have named, and a `fetch` over them. Like `GuardedFetch` it never connects to an
 * internal address, except to hosts that the operator permits, and bounds the bytes it reads. Unlike it, it
 * decompresses responses and follows redirects, each of which is checked like a new request.
 */
export class GuardedClient {
  /** Agents by tenant. Tenants without private hosts share one entry, since they may reach the same hosts. */
  private readonly connections = new Map<string | null, Connections>();

  constructor(private readonly options: GuardedClientOptions) {}

  /**
   * Throws `NoAnswerError`, also while a body is read; the reason of the caller's signal if it aborts; and a
   * `TypeError` for a request that cannot be sent, without details, because the text could quote a secret header.
   */
  fetchFor(given: GuardedFetchLikeOptions): typeof fetch {
    const limits: Limits = { ...DEFAULTS, ...given };
    const connections = this.connectionsOf(limits.tenantId);
    return async (input, init) => {
      const url = URL.parse(input instanceof Request ? input.url : String(input));
      if (url === null || !isPlainHttp(url)) throw new NoAnswerError('invalid_url', false);
      const agent = limits.needsOwnConnection(url, init) ? connections.own : connections.kept;
      const signal = init?.signal ?? (input instanceof Request ? input.signal : UNENDING);
      signal.throwIfAborted();
      const { method, headers, body, redirect } = await readRequest(input, init);
      return follow({ url, method, headers, body }, { agent, limits, redirect, signal });
    };
  }

  /** Closes all connections and aborts requests in flight. */
  async close(): Promise<void> {
    const agents = [...this.connections.values()].flatMap(({ kept, own }) => [kept, own]);
    this.connections.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  private connectionsOf(tenantId: string): Connections {
    const { privateHosts, ...options } = this.options;
    const key = privateHosts.some((host) => host.tenantId === tenantId) ? tenantId : null;
    const known = this.connections.get(key);
    if (known !== undefined) return known;
    const guard: GuardOptions = {
      ...options,
      privateHosts: privateHostsOf(privateHosts, tenantId),
      timeoutMs: CONNECT_TIMEOUT_MS,
    };
    const made = {
      kept: guardedAgent(guard),
      own: guardedAgent({ ...guard, reusesConnections: false }),
    };
    this.connections.set(key, made);
    return made;
  }
}

const UNENDING = new AbortController().signal;

interface Journey {
  readonly agent: Agent;
  readonly limits: Limits;
  readonly redirect: Request['redirect'];
  readonly signal: AbortSignal;
}

async function follow(first: Hop, journey: Journey): Promise<Response> {
  let hop = first;
  let wasSent = false;
  for (let redirects = 0; ; redirects += 1) {
    const failed = (error: unknown): never => {
      journey.signal.throwIfAborted();
      throw new NoAnswerError(reasonOf(error), wasSent);
    };
    const answer = await send(hop, journey, () => (wasSent = true)).catch(failed);
    const isFollowed = journey.redirect !== 'manual' && journey.limits.mostRedirects > 0;
    const next = nextHop(hop, answer.status, answer.headers.get('location'), journey.limits.redirectScope);
    if (next.kind === 'none' || !isFollowed) return toResponse(answer, hop, redirects > 0, journey);
    await answer.body?.cancel().catch(() => undefined);
    const isTooFar = redirects >= journey.limits.mostRedirects || journey.redirect === 'error';
    if (next.kind === 'refused' || isTooFar) throw new NoAnswerError('refused_redirect', true);
    hop = next.hop;
  }
}

function send(hop: Hop, { agent, limits, signal }: Journey, onSend: () => void): Promise<AnswerOfUndici> {
  const timeouts = { headersTimeout: limits.headersTimeoutMs, bodyTimeout: limits.silenceMs };
  return fetchByUndici(hop.url.href, {
    method: hop.method,
    headers: [...hop.headers],
    body: hop.body,
    redirect: 'manual',
    dispatcher: watchedDispatch(agent, timeouts, { signal, onSend }),
    signal,
  });
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function toResponse(answer: AnswerOfUndici, hop: Hop, redirected: boolean, journey: Journey): Response {
  const { status, statusText } = answer;
  const hasBody = answer.body !== null && !WITHOUT_BODY.has(status);
  const body = hasBody ? ReadableStream.from(readBounded(answer.body, journey)) : null;
  const response = new Response(body, { status, statusText, headers: [...answer.headers] });
  // A constructed `Response` has no URL of its own.
  Object.defineProperties(response, { url: { value: hop.url.href }, redirected: { value: redirected } });
  return response;
}

async function* readBounded(
  body: AsyncIterable<Uint8Array>,
  { limits, signal }: Journey,
): AsyncGenerator<Uint8Array> {
  const reason = (error: unknown): FetchFailureReason => (signal.aborted ? 'aborted' : reasonOf(error));
  try {
    yield* boundedBytes(body, limits.mostReadBytes, reason);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AnswerBrokenOff ? new NoAnswerError(error.reason, true) : error;
  }
}

type ReadRequest = Pick<Hop, 'method' | 'headers' | 'body'> & Pick<Request, 'redirect'>;

/**
 * Reads the whole body, so that a redirect can resend it. Errors of the standard quote the rejected value, so they are
 * replaced.
 */
async function readRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<ReadRequest> {
  try {
    const request = new Request(input, init);
    const { method, headers, redirect } = request;
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    return { method, headers, redirect, body };
  } catch {
    throw new TypeError('the request cannot be sent: a header, its method or its body is not valid');
  }
}
