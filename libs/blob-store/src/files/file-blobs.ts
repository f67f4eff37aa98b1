import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from '../blob-key.js';
import { writeMeasured } from '../write-measured.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
/**
 * Marks the folder of blobs, to distinguish it from the empty mount point of a missing disk. No tenant can have this
 * name.
 */
const MARKER = '.capstan-files';
const SAYS =
  'Files of tenants are kept in this folder. Without this file it counts as missing: leave it here.\n';

/** Returns keys of some blobs that the database refers to; empty if none was stored yet. */
export type KnownBlobs = () => Promise<readonly string[]>;

/**
 * Stores blobs as files in a folder that all processes of an installation share. A blob is written to a temporary file,
 * synced and renamed, so that a crash leaves it whole or absent. The folder is marked at first use; without the mark,
 * e.g. at the mount point of a missing disk, reads and writes fail.
 */
export class FileBlobs extends BlobStore {
  constructor(
    private readonly folder: string,
    private readonly knownBlobs: KnownBlobs,
  ) {
    super();
  }

  override async write(
    key: string,
    bytes: AsyncIterable<Uint8Array>,
    { mostBytes }: { readonly mostBytes: number },
  ): Promise<WrittenBlob | typeof TOO_LARGE> {
    const path = this.pathOf(key);
    const parts = partsOf(path);
    const beside = join(parts, randomUUID());
    await this.assertPlace();
    await mkdir(parts, { recursive: true, mode: PRIVATE_FOLDER });
    try {
      const written = await writeDurably(beside, bytes, mostBytes);
      if (written === TOO_LARGE) return TOO_LARGE;
      await rename(beside, path);
      await makeNameDurable(dirname(path));
      return written;
    } finally {
      // After the rename no temporary file is left.
      await rm(beside, { force: true });
      await removeEmpty(parts);
    }
  }

  override async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return createReadStream('', { fd: file, autoClose: true });
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      await this.assertPlace();
      return null;
    }
  }

  /** Also removes temporary files that crashed writers have left. */
  override async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    await this.assertPlace();
    await rm(path, { force: true });
    await rm(partsOf(path), { recursive: true, force: true });
  }

  override async check(): Promise<void> {
    await this.assertPlace();
    await access(this.folder, constants.R_OK | constants.W_OK);
  }

  /**
   * Marks an unmarked folder if no blob is stored yet, or if the folder holds a known blob from before marks existed.
   * Throws otherwise.
   */
  private async assertPlace(): Promise<void> {
    const marker = join(this.folder, MARKER);
    if (await isThere(marker)) return;
    const known = await this.knownBlobs();
    const found = await Promise.all(known.map((key) => isThere(this.pathOf(key))));
    if (known.length > 0 && !found.includes(true))
      throw new Error(
        `the folder of files has neither ${MARKER} nor files that are known: is its disk there?`,
      );
    await mkdir(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    await writeFile(marker, SAYS, { mode: PRIVATE_FILE });
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.folder, key);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path, constants.F_OK);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}

/** Folder for the temporary files of a blob, so that removing the blob also finds leftovers. */
function partsOf(path: string): string {
  return `${path}.parts`;
}

/** Keeps the folder if another writer of the same blob still uses it. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'ENOENT')) throw error;
  }
}

async function writeDurably(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<WrittenBlob | typeof TOO_LARGE> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    const written = await writeMeasured(file, bytes, mostBytes);
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

async function makeNameDurable(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
