import { migrateDatabase } from '#libs/persistence';
import { migrateQueueSchema } from '#libs/queue';
import { wholeDatabase } from './database.js';

/** Brings application and queue tables up to date. Answers the migrations that ran. */
export function migrate(url: string): Promise<readonly string[]> {
  return migrateDatabase(wholeDatabase(url), migrateQueueSchema);
}
