/** Path prefix of tools' files for the user; the real folder is configured per tenant. */
const FILES_PREFIX = '/files/';

/** Maximum bytes, inclusive (S0-41, S1-74). */
export const MAX_FILE_BYTES = 5_242_880;

const MAX_PATH = 4_096;

export type FilesPath =
  /** `relative` is a path below the root: not empty, without empty, `.` or `..` segments. */
  { readonly kind: 'inside'; readonly relative: string } | { readonly kind: 'refused' };

/**
 * Validates the path of a user's file (S0-39, S0-40, S1-73) by its text alone; the reader checks the file and its
 * links. A path that leaves the root is refused even if it returns.
 */
export function checkFilesPath(path: string): FilesPath {
  if (!path.startsWith(FILES_PREFIX) || path.length > MAX_PATH || isMalformed(path))
    return { kind: 'refused' };
  const segments: string[] = [];
  for (const segment of path.slice(FILES_PREFIX.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return { kind: 'refused' };
  }
  return segments.length === 0 ? { kind: 'refused' } : { kind: 'inside', relative: segments.join('/') };
}

/** NUL ends a path in the kernel, a backslash is a separator on some systems, and lone surrogates have no encoding. */
function isMalformed(path: string): boolean {
  return path.includes('\0') || path.includes('\\') || !path.isWellFormed();
}
