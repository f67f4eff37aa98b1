import { Agent, type Dispatcher } from 'undici';

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
  /** Beside those of every request; null leaves one of those out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Of every request. */
  readonly query?: Readonly<Record<string, string>>;
}

/** What must never stand in anything that leaves this library. */
export function secretsOf({ apiKey }: Pick<ClientConnection, 'apiKey'>): readonly string[] {
  return apiKey === null ? [] : [apiKey];
}

/** undici's own limits (300 s) would cut off models that think longer than that; `CallWatch` has the limits that count. */
export const sharedDispatcher = new Agent({
  headersTimeout: 0,
  bodyTimeout: 0,
  connect: { timeout: 10_000 },
});
