import { schemaDifferences, withScratchDatabase } from '#libs/persistence';
import { wholeDatabase } from './database.js';
import { migrate } from './migrate.js';

/** Differences between a freshly migrated database and the entities; empty when they agree. */
export function schemaDrift(url: string): Promise<readonly string[]> {
  return withScratchDatabase(url, async (scratchUrl) => {
    await migrate(scratchUrl);
    return schemaDifferences(wholeDatabase(scratchUrl));
  });
}
