import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { nameClassesOnly } from './name-classes-only.ts';
import { httpOnDemand, optionalPackages, plainTexts } from './bundle-plugins.ts';

export interface ProgramBundle {
  /** Root of the build; its `node_modules` holds the packages outside the bundle. */
  readonly root: string;
  /** Compiled module of each program, below `dist`, by program name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Folder below `root` for `<name>.js` of each program, their shared chunks, and `schema/*.sql`. */
  readonly folder: string;
}

/** Globals that CommonJS packages expect. */
export const COMMON_JS = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;
const KEPT_MS = 24 * 3_600_000;

/**
 * Bundles programs with all their imports, packages included, into few modules, so that they start faster and hold less
 * text. Shared modules become chunks; `import()` stays lazy. Nothing is minified: stacks keep the names of functions and
 * classes, some with a number appended, and the bundle names the module path above the line.
 * @returns the content of each output file
 * @throws {Error} when an import of this repository cannot be resolved
 */
export async function bundlePrograms({ root, programs, folder }: ProgramBundle): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, `dist/${file}`])),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    // Resolves as Node does, without files meant only for bundlers.
    conditions: [],
    tsconfigRaw: {},
    keepNames: true,
    // Licence comments go beside each file, where they cost no memory; `write-runtime.ts` collects the licences.
    legalComments: 'external',
    banner: { js: COMMON_JS },
    plugins: [httpOnDemand, optionalPackages, plainTexts],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const target = join(root, folder);
  mkdirSync(target, { recursive: true });
  const isEntry = new Set(Object.keys(programs).map((name) => join(target, `${name}.js`)));
  // Entries are written last, so that a program started during the build finds its chunks.
  const written = outputFiles.toSorted((a, b) => Number(isEntry.has(a.path)) - Number(isEntry.has(b.path)));
  for (const { path, text, contents } of written) {
    replaceIfChanged(path, path.endsWith('.js') ? Buffer.from(nameClassesOnly(text)) : contents);
  }
  for (const path of globSync('dist/libs/*/src/schema/*.sql', { cwd: root })) {
    mkdirSync(join(target, 'schema'), { recursive: true });
    replaceIfChanged(join(target, 'schema', basename(path)), readFileSync(join(root, path)));
  }
  removeAbandoned(target, new Set(outputFiles.map(({ path }) => path)));
  return metafile;
}

/** Atomic replacement, so that a program started during the build never reads a partial file. */
export function replaceIfChanged(path: string, contents: Uint8Array): void {
  if (statSync(path, { throwIfNoEntry: false }) && readFileSync(path).equals(contents)) return;
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

/** Chunks of earlier builds are kept for a day, since a running program may load one late. */
function removeAbandoned(folder: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (path.endsWith('.js') && !current.has(path) && age > KEPT_MS) rmSync(path, { force: true });
  }
}
