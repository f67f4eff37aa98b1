import type { ServerCredentials } from '#libs/tooling';
import type { SecurityScheme } from './operation.js';

/** The service that is called, as its server is configured. */
export interface CalledService {
  /** Wins over what the description says. */
  readonly baseUrl: string | null;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly credentials: ServerCredentials;
}
