import { sep } from 'node:path';

/**
 * True if `target` is below `root`. Both are real paths; a sibling folder with `root` as name prefix does not match
 * (S0-40).
 */
export function isInside(root: string, target: string): boolean {
  return target.startsWith(root.endsWith(sep) ? root : root + sep);
}
