import type { Replaced } from '../../api/session-files.js';
import type { SessionFile } from '../../api/types.js';

/** A chosen file with its path in the session. */
export interface NamedFile {
  readonly path: string;
  readonly file: File;
}

/** A chosen file, and the contents that it would replace. */
export interface Planned extends NamedFile {
  readonly replaced: Replaced;
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
  const onItsWay = new Set(onTheirWay);
  const free: Planned[] = [];
  const taken: Planned[] = [];
  for (const one of chosen) {
    const sha256 = hashes.get(one.path);
    if (sha256 !== undefined) taken.push({ ...one, replaced: { sha256 } });
    else if (onItsWay.has(one.path)) taken.push({ ...one, replaced: 'another upload' });
    else free.push({ ...one, replaced: 'nothing' });
    onItsWay.add(one.path);
  }
  return { free, taken };
}
