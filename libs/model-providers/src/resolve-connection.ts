import type { JsonObject } from '#libs/kernel';
import { normalizeCredentials, type OpenAiCredentials } from './credentials.js';

/** The provider that the operator set up for the whole process. */
export interface ProcessConnection {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** A model configuration's own part, its key already opened. */
export interface OwnConnection {
  readonly apiKey: string | null;
  readonly settings: JsonObject;
}

export interface ResolvedConnection extends OpenAiCredentials {
  /** Whether the server was named by the configuration rather than by the operator. */
  readonly isOwnServer: boolean;
}

/**
 * What a configuration says wins over what the process has. The key of the process goes to the server of the process and
 * nowhere else: a configuration that names its own server has to bring its own key, or say that there is none. Throws
 * `AppError` (`INVALID_CREDENTIALS`) where a key is missing.
 */
export function resolveConnection(own: OwnConnection, process: ProcessConnection): ResolvedConnection {
  const ownBase = own.settings['openai_api_base'];
  const isOwnServer = typeof ownBase === 'string' && ownBase.trim() !== '';
  const processKey = isOwnServer ? null : process.apiKey;
  const processBase = own.apiKey === null ? process.baseUrl : null;
  const credentials = normalizeCredentials({
    ...own.settings,
    openai_api_key: own.apiKey ?? processKey,
    openai_api_base: isOwnServer ? ownBase : processBase,
  });
  return { ...credentials, isOwnServer };
}
