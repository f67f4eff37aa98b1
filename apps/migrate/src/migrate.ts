import { migrateDatabase, prepareVectorIndexTable } from '#libs/persistence';
import { migrateQueueSchema } from '#libs/queue';
import { wholeDatabase } from './database.js';

/**
 * Brings application and queue tables up to date, with a table for indexes of `pgvector` where the database has that
 * extension. Answers the migrations that ran.
 */
export function migrate(url: string): Promise<readonly string[]> {
  return migrateDatabase(wholeDatabase(url), async (client) => {
    await migrateQueueSchema(client);
    await prepareVectorIndexTable(client);
  });
}
