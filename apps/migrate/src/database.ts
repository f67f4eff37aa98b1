import { orderEntryEntities, orderEntryMigrations } from '#libs/order-entry';
import type { DatabaseOptions } from '#libs/persistence';

/** The whole database of the service: its own tables and those of the order-entry example. */
export function wholeDatabase(url: string): DatabaseOptions {
  return {
    url,
    poolSize: 2,
    applicationName: 'capstan-migrate',
    entities: orderEntryEntities,
    migrations: orderEntryMigrations,
  };
}
