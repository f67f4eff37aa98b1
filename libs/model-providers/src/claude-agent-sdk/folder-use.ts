import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderLimits {
  readonly bytes: number;
  readonly files: number;
}

/** Whether a folder, with all below it, has more than the limits; files that vanish in between count as nothing. */
export async function isOverfull(folder: string, limits: FolderLimits): Promise<boolean> {
  let [bytes, files] = [0, 0];
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  for (const name of names) {
    const found = await lstat(join(folder, name)).catch(() => null);
    if (found?.isDirectory() !== false) continue;
    bytes += found.size;
    files += 1;
    if (bytes > limits.bytes || files > limits.files) return true;
  }
  return false;
}
