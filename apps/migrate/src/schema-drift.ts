import { schemaDifferences, withScratchDatabase } from '#libs/persistence';
import { wholeDatabase } from './database.js';
import { migrate } from './migrate.js';

/** What a fresh, fully migrated database lacks compared with the entities: nothing, when both agree. */
export function schemaDrift(url: string): Promise<readonly string[]> {
  return withScratchDatabase(url, async (scratchUrl) => {
    await migrate(scratchUrl);
    return schemaDifferences(wholeDatabase(scratchUrl));
  });
}
