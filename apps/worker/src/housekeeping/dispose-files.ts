import type { FileStore } from '#libs/persistence';

const AT_ONCE = 500;

/** Lets the files go that expired and that nothing needs. Their blobs are removed afterwards. */
export async function disposeFiles(files: Pick<FileStore, 'disposeExpired'>): Promise<void> {
  while ((await files.disposeExpired(AT_ONCE)) === AT_ONCE);
}
