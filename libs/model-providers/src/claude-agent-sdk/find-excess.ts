import { isOverfull, type FolderLimits } from './folder-use.js';
import { residentMemory } from './resident-memory.js';

/** Limits of a running engine. */
interface EngineLimits {
  readonly mostRssBytes: number;
  readonly mostFiles: FolderLimits;
}

type Excess = 'out_of_memory' | 'out_of_disk' | 'unmeasured';

/** Finds the limit that a running engine exceeds; null if it is within all. */
export async function findExcess(
  { pid, home }: { readonly pid: number; readonly home: string },
  { mostRssBytes, mostFiles }: EngineLimits,
): Promise<Excess | null> {
  const rssBytes = await residentMemory(pid);
  if (rssBytes === null) return 'unmeasured';
  if (rssBytes > mostRssBytes) return 'out_of_memory';
  return (await isOverfull(home, mostFiles)) ? 'out_of_disk' : null;
}
