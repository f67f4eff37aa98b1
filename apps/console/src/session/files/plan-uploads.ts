import type { SessionFile } from '../../api/types.js';

/** A chosen file with its path in the session. */
export interface NamedFile {
  readonly path: string;
  readonly file: File;
}

/** A chosen file, and the contents that it would replace. */
export interface Planned extends NamedFile {
  /** SHA-256 of what is there; null where nothing is there yet. */
  readonly replaced: string | null;
}

/**
 * Chosen files that can be sent at once, and those that a person is asked about since something would be lost: one of a
 * path that is there, or that another upload is on its way to. Pure.
 * @param chosen later ones of the same path are asked about, too
 */
export function planUploads(
  chosen: readonly NamedFile[],
  files: readonly SessionFile[],
  onTheirWay: readonly string[],
): { readonly free: readonly Planned[]; readonly taken: readonly Planned[] } {
  const hashes = new Map(files.map(({ path, sha256 }) => [path, sha256]));
  const known = new Set([...hashes.keys(), ...onTheirWay]);
  const free: Planned[] = [];
  const taken: Planned[] = [];
  for (const one of chosen) {
    const planned = { ...one, replaced: hashes.get(one.path) ?? null };
    if (known.has(one.path)) taken.push(planned);
    else free.push(planned);
    known.add(one.path);
  }
  return { free, taken };
}
