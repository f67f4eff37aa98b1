import OpenAI from 'openai';
import { Agent, type Dispatcher } from 'undici';
import { sendThrough } from './send-request.js';

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

export interface ClientConnection {
  /** Null for a server that asks for none: then no credentials are sent at all. */
  readonly apiKey: string | null;
  /** With its version path, e.g. `https://api.openai.com/v1`; null or "" means OpenAI itself. */
  readonly baseUrl: string | null;
  readonly organization?: string | null;
  /** Milliseconds until a stream begins or a body is whole, and between events while the model reasons. */
  readonly timeoutMs: number;
  /** Opens the connections; pass one that guards against internal addresses where tenants choose `baseUrl`. */
  readonly dispatcher?: Dispatcher;
  /** Beside those of the client; null leaves one of its own out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Of every request. */
  readonly query?: Readonly<Record<string, string>>;
}

/** The client refuses to be made without a key; this one is never sent. */
const NO_KEY = 'no-key';

/** What must never stand in anything that leaves this library. */
export function secretsOf({ apiKey }: Pick<ClientConnection, 'apiKey'>): readonly string[] {
  return apiKey === null ? [] : [apiKey];
}

/** The client's timer is only a second net under `CallWatch`, which knows which limit was broken. */
const OWN_LIMIT_FIRST_MS = 5_000;

/** undici's own limits (300 s) would cut off models that think longer than that; `CallWatch` has the limits that count. */
export const sharedDispatcher = new Agent({
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
});

/**
 * The official client, stripped of everything it would do by itself: retries, logging, settings from the environment,
 * redirects that would carry a prompt to another host.
 */
export function createOpenAiClient(connection: ClientConnection): OpenAI {
  return new OpenAI({
    apiKey: connection.apiKey ?? NO_KEY,
    defaultHeaders: { ...(connection.apiKey === null && { Authorization: null }), ...connection.headers },
    ...(connection.query && { defaultQuery: { ...connection.query } }),
    baseURL: connection.baseUrl || OPENAI_BASE_URL,
    organization: connection.organization || null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    timeout: connection.timeoutMs + OWN_LIMIT_FIRST_MS,
    maxRetries: 0,
    logLevel: 'off',
    fetch: sendThrough(connection.dispatcher ?? sharedDispatcher),
  });
}
