import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { assertBlobKey } from '../blob-key.js';
import { writeMeasured } from '../write-measured.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/**
 * Blobs as files of one folder, which all processes of an installation share. A blob is written beside its place, made
 * durable, and then put there under its name: it is there whole or not at all, whenever the machine stops.
 */
export class FileBlobs extends BlobStore {
  constructor(private readonly folder: string) {
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
    await mkdir(parts, { recursive: true, mode: PRIVATE_FOLDER });
    try {
      const written = await writeFile(beside, bytes, mostBytes);
      if (written === TOO_LARGE) return TOO_LARGE;
      await rename(beside, path);
      await makeNameDurable(dirname(path));
      return written;
    } finally {
      // Nothing where it has its name.
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
      // Where the whole folder is missing, such as a disk that is not there, nothing is known of the blob.
      await access(this.folder, constants.R_OK);
      return null;
    }
  }

  /** With what writers who died have left of it. */
  override async remove(key: string): Promise<void> {
    const path = this.pathOf(key);
    await rm(path, { force: true });
    await rm(partsOf(path), { recursive: true, force: true });
  }

  override async check(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: PRIVATE_FOLDER });
    await access(this.folder, constants.R_OK | constants.W_OK);
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.folder, key);
  }
}

/** A folder beside a blob for what is being written: who removes the blob finds what is left of it. */
function partsOf(path: string): string {
  return `${path}.parts`;
}

/** Others may be writing the same blob. */
async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'ENOENT')) throw error;
  }
}

async function writeFile(
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
