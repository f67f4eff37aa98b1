import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderLimits {
  readonly bytes: number;
  readonly files: number;
}

/**
 * Whether a folder, with all below it, has more than the limits. Links are not followed, and what vanishes in between counts
 * as nothing.
 */
export async function isOverfull(folder: string, limits: FolderLimits): Promise<boolean> {
  let [bytes, files] = [0, 0];
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (entry.isDirectory()) continue;
      const found = await lstat(join(entry.parentPath, entry.name)).catch(() => null);
      bytes += found?.size ?? 0;
      files += found === null ? 0 : 1;
      if (bytes > limits.bytes || files > limits.files) return true;
    }
  } catch {
    // A folder vanished while it was read.
  }
  return false;
}
