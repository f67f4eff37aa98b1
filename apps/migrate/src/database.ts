import type { DatabaseOptions } from '#libs/persistence';
import { domains } from './domains.js';

/** The whole database: tables of the service and of the domains. */
export function wholeDatabase(url: string): DatabaseOptions {
  return {
    url,
    poolSize: 2,
    applicationName: 'capstan-migrate',
    migrations: domains.migrations,
  };
}
