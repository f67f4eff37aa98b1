import type { JsonObject } from '#libs/kernel';
import { invalidCredential, type CredentialForm } from './credential-form.js';

type Raw = Readonly<Record<string, unknown>>;

/** Settings for calls of a provider; times in milliseconds. */
export interface ProviderSettings {
  readonly organization: string | null;
  /** URL with the version path; null means the provider's default server. */
  readonly baseUrl: string | null;
  readonly timeoutMs: number;
  /** Timeout for the first byte of a streamed answer. */
  readonly firstByteMs: number;
  /** `followed`: calls of executions that nothing follows ask for a whole answer; absent: every call streams. */
  readonly streamWhen?: 'followed';
  /** Retries by the agent loop; the adapter itself never retries. */
  readonly maxRetries: number;
  /** Provider-specific options. */
  readonly options: JsonObject;
}

/** Complete credentials for an adapter. */
export interface ProviderCredentials extends ProviderSettings {
  /** Null for a server without authentication. */
  readonly apiKey: string | null;
}

/**
 * Normalises a user's credentials (S1-7 … S1-11): trims texts, completes the URL, clamps numbers, and replaces
 * malformed numbers by their default. The key may be missing only with `auth: none` and a custom server (S1-7). Throws
 * an `AppError` (`INVALID_CREDENTIALS`) that never quotes a value.
 */
export function normalizeCredentials(form: CredentialForm, raw: Raw): ProviderCredentials {
  const settings = normalizeSettings(form, raw);
  const apiKey = isKeyless(raw) ? readNoKey(form, raw, settings) : readApiKey(form, raw[form.keyField]);
  return { apiKey, ...settings };
}

/** True if the configuration says that its server needs no key. */
export function isKeyless(raw: Raw): boolean {
  return raw['auth'] === 'none';
}

function readNoKey({ baseField, keyField }: CredentialForm, raw: Raw, { baseUrl }: ProviderSettings): null {
  if (baseUrl === null) throw invalidCredential(baseField, `${baseField} is required where auth is none`);
  if (readText(raw[keyField]) === '') return null;
  throw invalidCredential(keyField, `${keyField} must be left out where auth is none`);
}

/** Normalises the settings without the key (S1-8 … S1-11). */
export function normalizeSettings(form: CredentialForm, raw: Raw): ProviderSettings {
  const { organizationField } = form;
  const seconds = readInteger(raw['request_timeout_seconds'], 300, 30, 900);
  const firstByteSeconds = readInteger(raw['first_byte_timeout_seconds'], 60, 1, 900);
  return {
    organization: organizationField === null ? null : readText(raw[organizationField]) || null,
    baseUrl: readBaseUrl(form, raw[form.baseField]),
    timeoutMs: seconds * 1_000,
    firstByteMs: firstByteSeconds * 1_000,
    maxRetries: readInteger(raw['max_retries'], 1, 0, 5),
    ...(raw['stream_when'] === 'followed' && { streamWhen: 'followed' as const }),
    options: form.readOptions(raw),
  };
}

function readApiKey({ keyField }: CredentialForm, value: unknown): string {
  const key = readText(value);
  if (key === '') throw invalidCredential(keyField, `${keyField} is required`);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalidCredential(keyField, `${keyField} must consist of letters, digits and signs without spaces`);
}

function readBaseUrl(form: CredentialForm, value: unknown): string | null {
  const base = readText(value).replace(/\/+$/, '');
  if (base === '') return null;
  const url = URL.parse(base);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search + url.hash === '';
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw invalidCredential(
      form.baseField,
      `${form.baseField} must be an http or https URL without user, query or fragment`,
    );
  }
  return form.completeBase(base);
}

function readInteger(value: unknown, fallback: number, min: number, max: number): number {
  const text = typeof value === 'number' ? String(value) : readText(value);
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : fallback;
  return Math.min(max, Math.max(min, number));
}

/** The trimmed text; empty for any other type. */
export function readText(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}
