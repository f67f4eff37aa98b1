/** Where tools put files for the user, as they name it; where it really lies is configured per tenant. */
const FILES_PREFIX = '/files/';

/** Exactly this many bytes are accepted (S0-41, S1-74). */
export const MAX_FILE_BYTES = 5_242_880;

const LONGEST_PATH = 4_096;

export type FilesPath =
  /** `relative` leads to a place below the root: no empty, `.` or `..` segments, never empty. */
  { readonly kind: 'inside'; readonly relative: string } | { readonly kind: 'refused' };

/**
 * Which paths may name a file of the user (S0-39, S0-40, S1-73). Looks at the text alone; what lies there, and whether a
 * link leads away from it, is for the one who opens it. A path that leaves the root is refused even if it returns.
 */
export function checkFilesPath(path: string): FilesPath {
  if (!path.startsWith(FILES_PREFIX) || path.length > LONGEST_PATH || isMalformed(path))
    return { kind: 'refused' };
  const segments: string[] = [];
  for (const segment of path.slice(FILES_PREFIX.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return { kind: 'refused' };
  }
  return segments.length === 0 ? { kind: 'refused' } : { kind: 'inside', relative: segments.join('/') };
}

/** NUL ends a path in the kernel; a backslash separates segments on some systems; half a character names nothing. */
function isMalformed(path: string): boolean {
  return path.includes('\0') || path.includes('\\') || !path.isWellFormed();
}
