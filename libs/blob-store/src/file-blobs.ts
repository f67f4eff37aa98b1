import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobStore, TOO_LARGE, type WrittenBlob } from '#libs/knowledge';

/** What `blobKeyOf` makes: nothing in it leads out of the folder. */
const KEY = /^[a-zA-Z0-9_-]+\/[a-zA-Z0-9-]+$/;
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
    const beside = `${path}.${randomUUID()}.part`;
    await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    try {
      const written = await writeFile(beside, bytes, mostBytes);
      if (written === TOO_LARGE) return TOO_LARGE;
      await rename(beside, path);
      await makeNameDurable(dirname(path));
      return written;
    } finally {
      // Nothing where it has its name.
      await rm(beside, { force: true });
    }
  }

  override async read(key: string): Promise<AsyncIterable<Uint8Array> | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return createReadStream('', { fd: file, autoClose: true });
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  override async remove(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
  }

  private pathOf(key: string): string {
    if (!KEY.test(key)) throw new Error('this is no key of a blob');
    return join(this.folder, key);
  }
}

async function writeFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<WrittenBlob | typeof TOO_LARGE> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    const written = await writeParts(file, bytes, mostBytes);
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}

async function writeParts(
  file: FileHandle,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<WrittenBlob | typeof TOO_LARGE> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const part of bytes) {
    sizeBytes += part.byteLength;
    if (sizeBytes > mostBytes) return TOO_LARGE;
    hash.update(part);
    await file.writeFile(part);
  }
  return { sizeBytes, contentHash: hash.digest() };
}

async function makeNameDurable(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isAbsent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
