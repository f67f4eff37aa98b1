/** Options of a client. */
export interface CapstanOptions {
  /** API key; by default `CAPSTAN_API_KEY` of the environment. Null or none where the service asks for none. */
  readonly apiKey?: string | null | undefined;
  /** Address of the service; by default `CAPSTAN_BASE_URL` of the environment, else http://localhost:3000. */
  readonly baseUrl?: string | undefined;
  /** Tries after the first one, by default 3. */
  readonly maxRetries?: number | undefined;
  /** Longest time of one try in ms, by default 60 000; a stream of events only has to begin in it. */
  readonly timeout?: number | undefined;
  /** Function in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface Settings {
  readonly apiKey: string | null;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_URL = 'http://localhost:3000';

/** Options of the client, completed by the environment and defaults. */
export function settingsOf(options: CapstanOptions, environment: Environment): Settings {
  const { apiKey = environment['CAPSTAN_API_KEY'] ?? null, baseUrl = environment['CAPSTAN_BASE_URL'] } =
    options;
  return {
    apiKey: apiKey === '' ? null : apiKey,
    baseUrl: addressOf(baseUrl === undefined || baseUrl === '' ? DEFAULT_URL : baseUrl),
    maxRetries: options.maxRetries ?? 3,
    timeout: options.timeout ?? 60_000,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    headers: options.headers ?? {},
  };
}

/** The variables of the process; none in a browser. */
export function environmentOf(scope: object): Environment {
  const { process } = scope as { readonly process?: { readonly env?: Environment } };
  // eslint-disable-next-line no-restricted-properties -- a client is made by the program that it is part of
  return process?.env ?? {};
}

function addressOf(given: string): string {
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol);
  if (!isAddress) throw new TypeError(`baseUrl is "${given}"; it must be an http or https URL.`);
  return given.replace(/\/+$/, '');
}
