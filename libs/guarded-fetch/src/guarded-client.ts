import { fetch as fetchByUndici, type Agent, type Response as AnswerOfUndici } from 'undici';
import { AnswerBrokenOff, boundedBytes } from './bounded-bytes.js';
import { reasonOf, type FetchFailureReason } from './fetch-failure.js';
import { guardedAgent, type GuardOptions } from './guarded-connect.js';
import { NoAnswerError } from './no-answer.js';
import { privateHostsOf, type PrivateHost } from './private-hosts.js';
import { isPlainHttp, nextHop, type Hop, type RedirectScope } from './redirects.js';
import { watchedDispatch } from './watched-dispatch.js';

export interface GuardedClientOptions extends Pick<
  GuardOptions,
  'allowLoopback' | 'ca' | 'lookup' | 'connectionsPerOrigin'
> {
  /** Of all tenants; each gets its own and those that are for all. */
  readonly privateHosts: readonly PrivateHost[];
}

/** What the calls of one use may do. */
export interface GuardedFetchLikeOptions {
  readonly tenantId: string;
  /** Until the headers have come, of each request; 30 s by default. */
  readonly headersTimeoutMs?: number;
  /** How long a body may be silent; 60 s by default. A stream that lives long says here how long it may be. */
  readonly silenceMs?: number;
  /** Bytes of one answer's body, after decompression; 10 MB by default. */
  readonly mostReadBytes?: number;
  /** How many redirects are followed; 5 by default. With 0 the redirect itself is the answer. */
  readonly mostRedirects?: number;
  /** Where they are followed to; everywhere by default. */
  readonly redirectScope?: RedirectScope;
  /**
   * Whether a request gets a connection of its own. For one that must not be repeated: a server that closes an idle
   * connection while a request is on its way leaves it unknown whether it has acted. False by default.
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

/** Until a connection stands. */
const CONNECT_TIMEOUT_MS = 10_000;

interface Connections {
  readonly kept: Agent;
  readonly own: Agent;
}

/**
 * The connections to servers that tenants have named, and a `fetch` over them for clients that take one. Like `GuardedFetch`
 * it never connects to an internal address, except to what the operator has named, and reads no more than allowed; unlike
 * it, redirects are followed, each checked like a request of its own, and answers are decompressed.
 */
export class GuardedClient {
  /** Tenants without private hosts of their own share theirs: what is connected to is the same for all of them. */
  private readonly connections = new Map<string | null, Connections>();

  constructor(private readonly options: GuardedClientOptions) {}

  /**
   * Throws `NoAnswerError`, on reading a body too; what the caller's signal says when that aborts; and a `TypeError` without
   * details for what cannot be sent, such as a header with a line break: its text would be the secret's.
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

  /** Breaks off what is under way. */
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
  // A response that was made has no address of its own.
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

/** A whole body can be sent again where a redirect says so. The standard's own errors quote the value that they refuse. */
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
