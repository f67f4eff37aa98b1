import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isError } from '#libs/kernel';

export interface ListedFile {
  /** Path relative to the folder, with `/` as separator. */
  readonly path: string;
  readonly bytes: number;
}

export interface FolderListing {
  /** By path, ascending. */
  readonly files: readonly ListedFile[];
  /** True if the listing may be incomplete. */
  readonly isCut: boolean;
}

export interface ListingLimits {
  readonly files: number;
  /** Maximum nesting of folders. */
  readonly depth: number;
}

/**
 * Lists regular files below a folder without following links, so that nothing outside is visible. A missing folder
 * counts as empty. Reads at most one entry more than `limits.files`, over all folders.
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
    // The folder does not exist yet, or was deleted in between.
    if (isError(error) && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
