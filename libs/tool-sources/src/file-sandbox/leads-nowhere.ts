import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from './is-inside.js';

/**
 * True if an unresolvable path is simply missing. False for dangling links and links that leave the root, so that a
 * client cannot probe files outside.
 *
 * @param root a real path
 * @param relative validated: no empty, `.` or `..` segments
 */
export async function leadsNowhere(root: string, relative: string): Promise<boolean> {
  let folder = root;
  for (const segment of relative.split('/')) {
    const entry = await lstat(join(folder, segment)).catch(toCode);
    if (typeof entry === 'string') return entry === 'ENOENT' || entry === 'ENOTDIR';
    const target = await realpath(join(folder, segment)).catch(() => null);
    if (target === null || !isInside(root, target)) return false;
    folder = target;
  }
  return false;
}

function toCode(error: unknown): string {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : 'unknown';
}
