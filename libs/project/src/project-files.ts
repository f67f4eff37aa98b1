/** Folders of a project whose files are loaded. */
const FOLDERS = ['tools', 'agents'] as const;

const SOURCE = /\.(ts|mts|js|mjs)$/;
/** Tests, type declarations, and files and folders that begin with `_` or `.`. */
const IGNORED = /\.(test|spec)\.[^.]+$|\.d\.m?ts$|(^|\/)[_.]|(^|\/)node_modules\//;

/**
 * Selects the files of a project that define something, in alphabetical order: sources below `tools` and `agents`.
 * @param paths paths below the project's folder, with `/` between their parts
 */
export function selectProjectFiles(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => FOLDERS.some((folder) => path.startsWith(`${folder}/`)))
    .filter((path) => SOURCE.test(path) && !IGNORED.test(path))
    .toSorted();
}
