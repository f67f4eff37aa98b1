import { lstatSync } from 'node:fs';

/**
 * Refuses a directory in the shared temporary folder that another account may have created, since programs and passwords are
 * read from it.
 * @throws {Error} when it is no directory, belongs to another account, or is writable by others
 */
export function assertPrivateDirectory(path: string): void {
  if (process.getuid === undefined) return;
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== process.getuid() || (found.mode & 0o022) !== 0) {
    throw new Error(
      `${path} must be a directory of this account that only this account may write to: remove it.`,
    );
  }
}
