import { gzipSync } from 'node:zlib';

/** Maximum size of everything that a browser loads for the list of runs, in kB after gzip. */
export const MAX_FIRST_LOAD_KB = 300;

/** Frame of all screens and the screen that opens first, which are loaded on top of the entry. */
const LOADED_FIRST = /\/(?:app\/start|runs\/runs-screen)\.tsx$/;

export interface BuiltFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Names of files that are loaded with it. */
  readonly imports: readonly string[];
  readonly isEntry: boolean;
  /** Path of the module that the file was made for; null for shared files and assets. */
  readonly source: string | null;
}

/** Size in kB (gzip) of the entry, of the frame, of the first screen and of all that they import statically. Pure. */
export function firstLoadOf(files: readonly BuiltFile[]): number {
  const byName = new Map(files.map((file) => [file.name, file]));
  const loaded = new Set<BuiltFile>();
  const load = (file: BuiltFile | undefined): void => {
    if (file === undefined || loaded.has(file)) return;
    loaded.add(file);
    file.imports.forEach((name) => load(byName.get(name)));
  };
  files.filter(({ isEntry, source }) => isEntry || LOADED_FIRST.test(source ?? '')).forEach(load);
  const bytes = [...loaded].map(({ content }) => gzipSync(content).length);
  return Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1000);
}
