import { folderUse, type FolderLimits } from './folder-use.js';
import { residentMemory, type MemorySources } from './resident-memory.js';

/** Limits of a running engine. */
interface EngineLimits {
  readonly mostRssBytes: number;
  readonly mostFiles: FolderLimits;
}

type Excess = 'out_of_memory' | 'out_of_disk' | 'unmeasured' | 'files_unmeasured';

/** Finds the limit that a running engine exceeds or cannot be held to; null if it is within all, or has ended. */
export async function findExcess(
  { pid, home }: { readonly pid: number; readonly home: string },
  { mostRssBytes, mostFiles }: EngineLimits,
  sources?: MemorySources,
): Promise<Excess | null> {
  const memory = await residentMemory(pid, sources);
  if (memory === 'ended') return null;
  if (memory === 'unknown') return 'unmeasured';
  if (memory > mostRssBytes) return 'out_of_memory';
  const use = await folderUse(home, mostFiles);
  if (use === 'unknown') return 'files_unmeasured';
  return use === 'over' ? 'out_of_disk' : null;
}
