import { sep } from 'node:path';

/** Is `target` below `root`? Both are real paths; a folder whose name only begins alike is not (S0-40). */
export function isInside(root: string, target: string): boolean {
  return target.startsWith(root.endsWith(sep) ? root : root + sep);
}
