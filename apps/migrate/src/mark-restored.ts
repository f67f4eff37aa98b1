import { createDataSource, markRestored } from '#libs/persistence';
import { wholeDatabase } from './database.js';

/** Marks the unsettled executions of a restored database. Answers their number. */
export async function markRestoredExecutions(url: string): Promise<number> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    return await markRestored(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
