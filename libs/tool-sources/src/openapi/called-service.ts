import type { ServerCredentials } from '#libs/tooling';
import type { SecurityScheme } from './operation.js';

/** A service with its configuration. */
export interface CalledService {
  /** Takes precedence over the description's servers. */
  readonly baseUrl: string | null;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly credentials: ServerCredentials;
}
