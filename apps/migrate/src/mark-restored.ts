import { createDataSource, markRestored } from '#libs/persistence';
import { wholeDatabase } from './database.js';

/** Marks the executions that a restored database holds unsettled. Answers how many there are. */
export async function markRestoredExecutions(url: string): Promise<number> {
  const dataSource = await createDataSource(wholeDatabase(url)).initialize();
  try {
    return await markRestored(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
