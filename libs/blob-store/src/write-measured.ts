import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { TOO_LARGE, type WrittenBlob } from '#libs/knowledge';

/**
 * Writes bytes to an open file, and computes their size and hash. Stops at the first chunk beyond the limit; does not
 * close the file.
 */
export async function writeMeasured(
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
