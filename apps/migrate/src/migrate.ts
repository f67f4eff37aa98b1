import { migrateDatabase, prepareVectorIndexTable } from '#libs/persistence';
import { migrateQueueSchema } from '#libs/queue';
import { wholeDatabase } from './database.js';

/**
 * Migrates application and queue tables, with a table for vector indexes where `pgvector` is installed. Answers the applied
 * migrations.
 */
export function migrate(url: string): Promise<readonly string[]> {
  return migrateDatabase(wholeDatabase(url), async (client) => {
    await migrateQueueSchema(client);
    await prepareVectorIndexTable(client);
  });
}
