import type { JsonObject } from '#libs/kernel';
import { invalidCredential, type CredentialForm } from './credential-form.js';
import {
  normalizeCredentials,
  normalizeSettings,
  readText,
  type ProviderCredentials,
} from './credentials.js';

/** The server of a provider that the operator set up for the whole process. */
export interface ProcessConnection {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** A model configuration's own part, its key already opened. */
export interface OwnConnection {
  readonly apiKey: string | null;
  readonly settings: JsonObject;
}

export interface ResolvedConnection extends ProviderCredentials {
  /** Whether the server was named by the configuration rather than by the operator. */
  readonly isOwnServer: boolean;
}

/**
 * What a configuration says wins over what the process has. The key of the process goes to the server of the process and
 * nowhere else: a configuration that names its own server has to bring its own key, or say that there is none. Throws
 * `AppError` (`INVALID_CREDENTIALS`) where a key or a server is missing.
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
    // The operator's own server, which asks for no key.
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
