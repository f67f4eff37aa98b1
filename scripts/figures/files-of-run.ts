/** Part of the coverage that V8 reports of a script. */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    /** The first range is the function itself, with the number of its calls. */
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** Sources of a folder. */
export interface FolderFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

/**
 * Sources of apps and libraries with a function that ran, in order. The body of a module, which begins at offset 0, is no
 * function: it runs when a file is imported. Pure.
 * @param dist URL of the folder of the compiled modules, with a slash at its end
 */
export function filesOfRun(scripts: readonly ScriptCoverage[], dist: string): string[] {
  const ran = scripts.filter(
    ({ url, functions }) =>
      /^(?:apps|libs)\//.test(pathOf(url, dist)) &&
      functions.some(({ ranges: [own] }) => own !== undefined && own.startOffset > 0 && own.count > 0),
  );
  return [...new Set(ran.map(({ url }) => pathOf(url, dist).replace(/\.js$/, '.ts')))].toSorted();
}

/** Files that every run needed: timers of the service fall out, which run in some only. Pure. */
export function filesOfEachRun(runs: readonly (readonly string[])[]): string[] {
  const [first = [], ...others] = runs.map((files) => new Set(files));
  return [...first].filter((file) => others.every((files) => files.has(file)));
}

/** Groups by app or library, and by the folder in it. Pure. */
export function byFolder(files: readonly string[]): FolderFiles[] {
  const folders = Map.groupBy(
    files,
    (file) => /^(?:apps|libs)\/[^/]+\/src(?:\/[^/]+(?=\/))?/.exec(file)?.[0] ?? file,
  );
  return [...folders].map(([folder, own]) => ({ folder, files: own }));
}

function pathOf(url: string, dist: string): string {
  return url.startsWith(dist) ? url.slice(dist.length) : '';
}
