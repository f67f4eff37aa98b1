import { Agent, type Dispatcher } from 'undici';

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ClientConnection {
  /** Null for a server without authentication; no credentials are sent then. */
  readonly apiKey: string | null;
  /** URL with the version path, e.g. `https://api.openai.com/v1`; null or "" means the provider itself. */
  readonly baseUrl: string | null;
  /** URL of the provider itself; OpenAI's by default. */
  readonly home?: string;
  readonly organization?: string | null;
  /** Milliseconds until a stream begins or a body is complete, and between events while the model reasons. */
  readonly timeoutMs: number;
  /** Opens connections; if tenants choose `baseUrl`, pass one that blocks internal addresses. */
  readonly dispatcher?: Dispatcher;
  /** Additional headers; null removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The headers of a request with its signature, where requests are signed. */
  readonly sign?: (request: UnsignedRequest) => Promise<Readonly<Record<string, string>>>;
  /** Query parameters of every request. */
  readonly query?: Readonly<Record<string, string>>;
}

const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** URL with the version path. */
export function baseUrlOf({
  baseUrl,
  home = OPENAI_BASE_URL,
}: Pick<ClientConnection, 'baseUrl' | 'home'>): string {
  return baseUrl || home;
}

/** Shorter parts of a key are no secrets of their own. */
const MIN_SECRET = 16;

/** Secrets that may not leave this library. */
export function secretsOf({ apiKey }: Pick<ClientConnection, 'apiKey'>): readonly string[] {
  if (apiKey === null) return [];
  // A key may consist of several.
  const parts = apiKey.split(':').filter((part) => part.length >= MIN_SECRET);
  return [...new Set([apiKey, ...parts])];
}

/** Disables undici's timeouts (300 s), because models may reason longer; `CallWatch` enforces the limits. */
export const sharedDispatcher = new Agent({
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
});
