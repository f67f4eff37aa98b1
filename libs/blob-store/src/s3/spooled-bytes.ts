import { randomUUID } from 'node:crypto';
import { open, unlink, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { TOO_LARGE, type WrittenBlob } from '#libs/knowledge';
import { writeMeasured } from '../write-measured.js';

const PRIVATE_FILE = 0o600;
const PART_BYTES = 262_144;

/** Bytes on their way, whole, in a file that has no name: it is gone with its process, whatever ends that. */
export interface SpooledBytes extends WrittenBlob {
  /** From the beginning, as often as it is asked for. */
  bytes(): Readable;
  close(): Promise<void>;
}

/** Reads `bytes` to their end. What they throw is thrown on, and nothing is left. */
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

/** Not a stream of the file itself: whoever breaks that off closes the file with it. */
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
