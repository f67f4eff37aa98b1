import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { writeMeasured } from '../write-measured.js';

const PRIVATE_FILE = 0o600;
const PART_BYTES = 262_144;

/** Bytes spooled to an unlinked temporary file, which the kernel removes when the process ends, even after a crash. */
export interface SpooledBytes extends WrittenBlob {
  /** Returns a new stream from the beginning on each call. */
  bytes(): Readable;
  close(): Promise<void>;
}

/** Spools all of `bytes`. If the source throws, the error is rethrown and no file is left. */
export async function spool(
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<SpooledBytes | typeof TOO_LARGE> {
  const file = await openNameless();
  try {
    const written = await writeMeasured(file, bytes, mostBytes);
    if (written === TOO_LARGE) {
      await file.close();
      return TOO_LARGE;
    }
    return {
      ...written,
      bytes: () => Readable.from(readFrom(file), { objectMode: false }),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Not a stream of the file itself: destroying that would close the file. */
async function* readFrom(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await file.read({ buffer: Buffer.allocUnsafe(PART_BYTES), position: at });
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `blob-${randomUUID()}.part`);
  const file = await open(path, 'wx+', PRIVATE_FILE);
  await unlink(path);
  return file;
}
