import type { FileStore } from '#libs/persistence';

const AT_ONCE = 500;

/** Deletes expired files without references; another task removes their blobs. */
export async function disposeFiles(files: Pick<FileStore, 'disposeExpired'>): Promise<void> {
  while ((await files.disposeExpired(AT_ONCE)) === AT_ONCE);
}
