/** Maximum characters of a path. */
export const MAX_WORKSPACE_PATH = 100;

/** Control and format characters, lone surrogates, unassigned characters, and line separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u;

const SHAPE =
  'must be a relative path with "/" between its parts, none of them empty, "." or "..", for example reports/may.csv';
const LENGTH = `must have 1 to ${MAX_WORKSPACE_PATH} characters`;
const CHARACTERS = 'must not have a backslash, or a control or invisible character';
const SPACES = 'must not have a space at the beginning or end of a part';
const FORM = 'must be in the Unicode form NFC';

/** Finds the fault of a file's path in a workspace, in words that name the allowed values; null for a valid path. */
export function findPathFault(path: string): string | null {
  if (path.length === 0 || path.length > MAX_WORKSPACE_PATH) return LENGTH;
  if (path.includes('\\') || INVISIBLE.test(path)) return CHARACTERS;
  if (path !== path.normalize('NFC')) return FORM;
  const parts = path.split('/');
  if (parts.some((part) => ['', '.', '..'].includes(part))) return SHAPE;
  return parts.some((part) => part !== part.trim()) ? SPACES : null;
}

/** The folders of a valid path, outermost first: `a` and `a/b` of `a/b/c.txt`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('/'));
}
