import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface ListedFile {
  /** Relative to the folder, with `/` between its folders. */
  readonly path: string;
  readonly bytes: number;
}

export interface FolderListing {
  /** By path, ascending. */
  readonly files: readonly ListedFile[];
  /** Whether there may be more. */
  readonly isCut: boolean;
}

export interface ListingLimits {
  readonly files: number;
  /** Folders within each other. */
  readonly depth: number;
}

/**
 * The regular files below a folder; no link is followed, so that nothing outside is seen. A folder that is not there
 * has none. Reads at most one entry more than `limits.files` of all folders together.
 */
export async function listFolder(root: string, limits: ListingLimits): Promise<FolderListing> {
  const files: ListedFile[] = [];
  let left = limits.files;
  let isCut = false;
  const walk = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (left === 0 || (entry.isDirectory() && depth === limits.depth)) {
        isCut = true;
        return;
      }
      left -= 1;
      if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isFile()) files.push({ path, bytes: (await lstat(join(root, path))).size });
    }
  };
  await walk('', 1);
  return { files, isCut };
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    // Not there yet, or gone meanwhile.
    if (Error.isError(error) && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
