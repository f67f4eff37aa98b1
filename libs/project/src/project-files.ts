/** Folders of a project whose files are loaded. */
export const PROJECT_FOLDERS: readonly string[] = ['tools', 'agents', 'pipelines', 'domains'];

const SOURCE = /\.(ts|mts|js|mjs)$/;
/** The file of a domain; all others below its folder are imported by it. */
const DOMAIN = /^domains\/[^/]+\/index\.\w+$/;
/** Tests, type declarations, and files and folders that begin with `_` or `.`. */
const IGNORED = /\.(test|spec)\.[^.]+$|\.d\.m?ts$|(^|\/)[_.]|(^|\/)node_modules\//;

/**
 * Selects the files of a project that define something, in alphabetical order: sources below its folders.
 * @param paths paths below the project's folder, with `/` between their parts
 */
export function selectProjectFiles(paths: readonly string[]): readonly string[] {
  return paths
    .filter((path) => PROJECT_FOLDERS.some((folder) => path.startsWith(`${folder}/`)))
    .filter((path) => !path.startsWith('domains/') || DOMAIN.test(path))
    .filter((path) => SOURCE.test(path) && !IGNORED.test(path))
    .toSorted();
}

/** Folders in a value of `PROJECT`, in order. */
export function readFolders(value = ''): readonly string[] {
  return value
    .split(',')
    .map((folder) => folder.trim())
    .filter((folder) => folder !== '');
}
