import type { JsonObject } from '#libs/kernel';
import { invalidCredential, type CredentialForm } from './credential-form.js';
import {
  normalizeCredentials,
  normalizeSettings,
  readText,
  type ProviderCredentials,
} from './credentials.js';

/** The operator's server and key, for the whole process. */
export interface ProcessConnection {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** A configuration's own connection, with its decrypted key. */
export interface OwnConnection {
  readonly apiKey: string | null;
  readonly settings: JsonObject;
}

export interface ResolvedConnection extends ProviderCredentials {
  /** True if the configuration names the server, false if the operator does. */
  readonly isOwnServer: boolean;
}

/**
 * Combines a configuration with the operator's connection; the configuration takes precedence. The operator's key is
 * sent to the operator's server only: a configuration with its own server needs its own key, or `auth: none`. Throws an
 * `AppError` (`INVALID_CREDENTIALS`) if a key or a server is missing.
 */
export function resolveConnection(
  form: CredentialForm,
  own: OwnConnection,
  process: ProcessConnection,
): ResolvedConnection {
  const { keyField, baseField, hasHome } = form;
  const isOwnServer = readText(own.settings[baseField]) !== '';
  if (isOwnServer) {
    const credentials = normalizeCredentials(form, { ...own.settings, [keyField]: own.apiKey });
    return { ...credentials, isOwnServer };
  }
  const baseUrl = own.apiKey === null ? process.baseUrl : null;
  if (!hasHome && baseUrl === null) throw invalidCredential(baseField, `${baseField} is required`);
  if (!hasHome && process.apiKey === null) {
    // The operator's own server, which needs no key.
    const settings = normalizeSettings(form, { ...own.settings, [baseField]: baseUrl });
    return { apiKey: null, ...settings, isOwnServer };
  }
  const credentials = normalizeCredentials(form, {
    ...own.settings,
    [keyField]: own.apiKey ?? process.apiKey,
    [baseField]: baseUrl,
  });
  return { ...credentials, isOwnServer };
}
