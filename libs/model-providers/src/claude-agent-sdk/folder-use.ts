import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderLimits {
  readonly bytes: number;
  readonly files: number;
}

/** Use of a folder: `unknown` where a part of it cannot be read. */
export type FolderUse = 'within' | 'over' | 'unknown';

/**
 * Compares a folder, with all below it, with the limits. Folders count as files without bytes, links are not
 * followed, and what vanishes in between has no bytes.
 */
export async function folderUse(folder: string, limits: FolderLimits): Promise<FolderUse> {
  let [bytes, files] = [0, 0];
  const left = [folder];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const path = join(next, entry.name);
        files += 1;
        if (entry.isDirectory()) left.push(path);
        else bytes += await sizeOf(path);
        if (bytes > limits.bytes || files > limits.files) return 'over';
      }
    } catch (error) {
      if (!hasVanished(error)) return 'unknown';
    }
  }
  return 'within';
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    if (hasVanished(error)) return 0;
    throw error;
  }
}

function hasVanished(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
