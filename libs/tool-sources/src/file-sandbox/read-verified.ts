import type { BigIntStats } from 'node:fs';
import { constants, lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from './is-inside.js';

export type SandboxRead =
  | { readonly kind: 'read'; readonly base64: string; readonly size: number }
  | { readonly kind: 'missing' }
  /** Outside the root, no regular file, too large, or unreadable. The cause stays secret. */
  | { readonly kind: 'refused' };

/**
 * Opens a real path and reads it only if the open descriptor refers to a regular file below the root: checking the path
 * alone would race with swapped links. `O_NONBLOCK` avoids waiting for a pipe's writer.
 *
 * @param root a real path
 * @param descriptorFolder folder with a link per open descriptor; with null the path is resolved again and compared by
 *   device and inode, which precisely timed link swaps can deceive
 * @param maxBytes inclusive
 */
export async function readVerified(
  root: string,
  target: string,
  descriptorFolder: string | null,
  maxBytes: number,
): Promise<SandboxRead> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(target, flags).catch(() => null);
  if (handle === null) return { kind: 'refused' };
  try {
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile() || opened.size > BigInt(maxBytes)) return { kind: 'refused' };
    if (!(await liesInside(root, target, handle, opened, descriptorFolder))) return { kind: 'refused' };
    const bytes = await readAtMost(handle, maxBytes);
    if (bytes === null) return { kind: 'refused' };
    return { kind: 'read', base64: bytes.toString('base64'), size: bytes.length };
  } catch {
    return { kind: 'refused' };
  } finally {
    await handle.close();
  }
}

async function liesInside(
  root: string,
  target: string,
  handle: FileHandle,
  opened: BigIntStats,
  descriptorFolder: string | null,
): Promise<boolean> {
  if (descriptorFolder !== null)
    return isInside(root, await readlink(join(descriptorFolder, String(handle.fd))));
  const again = await realpath(target);
  const found = await lstat(again, { bigint: true });
  return isInside(root, again) && found.dev === opened.dev && found.ino === opened.ino;
}

/** The whole file, or null if it grew beyond `maxBytes` after `stat`. */
async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, maxBytes + 1 - size));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, size);
    if (bytesRead === 0) return Buffer.concat(chunks, size);
    chunks.push(chunk.subarray(0, bytesRead));
    size += bytesRead;
    if (size > maxBytes) return null;
  }
}

const CHUNK_BYTES = 262_144;
