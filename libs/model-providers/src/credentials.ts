import { AppError } from '#libs/kernel';

/** How to reach a provider; times in milliseconds. */
export interface OpenAiSettings {
  readonly organization: string | null;
  /** Ends in `/v1`; null means OpenAI itself. */
  readonly baseUrl: string | null;
  readonly timeoutMs: number;
  /** Until the first byte of a streamed answer. */
  readonly firstByteMs: number;
  /** For the loop: the adapter itself never tries again. */
  readonly maxRetries: number;
}

/** Credentials as the adapter takes them. */
export interface OpenAiCredentials extends OpenAiSettings {
  /** Null for a server of one's own that asks for none. */
  readonly apiKey: string | null;
}

/**
 * Reads what a user filled in (S1-7 … S1-11): texts are trimmed, the base is completed, numbers are clamped, and a
 * number that is none becomes the default. Without a key only a server of one's own can be reached, and only where `auth`
 * says `none` (S1-7). Throws `AppError` (`INVALID_CREDENTIALS`), which never quotes a value.
 */
export function normalizeCredentials(raw: Readonly<Record<string, unknown>>): OpenAiCredentials {
  const settings = normalizeSettings(raw);
  return {
    apiKey: isKeyless(raw) ? readNoKey(raw, settings) : readApiKey(raw['openai_api_key']),
    ...settings,
  };
}

/** Does this configuration say that its server asks for no key? */
export function isKeyless(raw: Readonly<Record<string, unknown>>): boolean {
  return raw['auth'] === 'none';
}

function readNoKey(raw: Readonly<Record<string, unknown>>, { baseUrl }: OpenAiSettings): null {
  if (baseUrl === null) throw invalid('openai_api_base', 'openai_api_base is required where auth is none');
  if (readText(raw['openai_api_key']) === '') return null;
  throw invalid('openai_api_key', 'openai_api_key must be left out where auth is none');
}

/** The same without the key (S1-8 … S1-11). */
export function normalizeSettings(raw: Readonly<Record<string, unknown>>): OpenAiSettings {
  const seconds = readInteger(raw['request_timeout_seconds'], 300, 30, 900);
  const firstByteSeconds = readInteger(raw['first_byte_timeout_seconds'], 60, 1, 900);
  return {
    organization: readText(raw['openai_organization']) || null,
    baseUrl: readBaseUrl(raw['openai_api_base']),
    timeoutMs: seconds * 1_000,
    firstByteMs: firstByteSeconds * 1_000,
    maxRetries: readInteger(raw['max_retries'], 1, 0, 5),
  };
}

function readApiKey(value: unknown): string {
  const key = readText(value);
  if (key === '') throw invalid('openai_api_key', 'openai_api_key is required');
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('openai_api_key', 'openai_api_key must consist of letters, digits and signs without spaces');
}

function readBaseUrl(value: unknown): string | null {
  const base = readText(value).replace(/\/+$/, '');
  if (base === '') return null;
  const url = URL.parse(base);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search + url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw invalid(
      'openai_api_base',
      'openai_api_base must be an http or https URL without user, query or fragment',
    );
  }
  return base.endsWith('/v1') ? base : `${base}/v1`;
}

function readInteger(value: unknown, fallback: number, min: number, max: number): number {
  const text = typeof value === 'number' ? String(value) : readText(value);
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : fallback;
  return Math.min(max, Math.max(min, number));
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function invalid(field: string, message: string): AppError {
  return new AppError({ code: 'INVALID_CREDENTIALS', kind: 'invalid_input', message, details: { field } });
}
