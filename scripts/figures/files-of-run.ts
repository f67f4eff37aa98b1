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

/** Functions that ran, named by script and offset. The body of a module, which begins at 0, is none: an import runs it. */
export function functionsOf(scripts: readonly ScriptCoverage[]): ReadonlySet<string> {
  const ran = scripts.flatMap(({ url, functions }) =>
    functions.flatMap(({ ranges: [own] }) =>
      own !== undefined && own.startOffset > 0 && own.count > 0 ? [`${url}:${own.startOffset}`] : [],
    ),
  );
  return new Set(ran);
}

/**
 * Sources of apps and libraries that hold some of these functions, in order. Pure.
 * @param dist URL of the folder of the compiled modules, with a slash at its end
 */
export function filesOf(functions: ReadonlySet<string>, dist: string): string[] {
  const paths = [...functions].map((name) => pathOf(name.replace(/\.js:\d+$/, '.ts'), dist));
  return [...new Set(paths)].filter((path) => /^(?:apps|libs)\//.test(path)).toSorted();
}

/** Functions that every run needed. Pure. */
export function functionsOfEachRun(runs: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const [first = new Set<string>(), ...others] = runs;
  return new Set([...first].filter((name) => others.every((functions) => functions.has(name))));
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
