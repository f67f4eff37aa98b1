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
import { httpOnDemand, listedDomains, optionalPackages, plainTexts } from './bundle-plugins.ts';

export interface ProgramBundle {
  /** Of the build; programs find what is not in the bundle in its `node_modules`. */
  readonly root: string;
  /** The compiled module of each program, below `dist`, by its name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Below `root`: gets `<name>.js` for each program, the chunks that they share, and `schema/*.sql`. */
  readonly folder: string;
  /** A module that lists the domains in place of `libs/domains.ts`. */
  readonly domains?: string;
}

/** What packages in the form of CommonJS expect to be there. */
const COMMON_JS = `import { createRequire as __createRequire } from 'node:module';
const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;
const KEPT_MS = 24 * 3_600_000;

/**
 * Writes programs with all that they import, packages too, as few modules in place of thousands: they start in less time
 * and hold less text. What several programs import is in chunks that they share, and what is imported by `import()` is
 * still loaded where it is used first. Nothing is made shorter: in a stack, functions and classes have their names, a few
 * functions with a number behind it, and above the line that it says stands the path of the module.
 * @returns what went into each file
 * @throws {Error} when an import of ours leads nowhere
 */
export async function bundlePrograms({ root, programs, folder, domains }: ProgramBundle): Promise<Metafile> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, `dist/${file}`])),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // As Node itself chooses: no files that packages have for bundlers alone.
    conditions: [],
    tsconfigRaw: {},
    keepNames: true,
    // Beside each file, where they cost no memory. `write-runtime.ts` gathers the licences themselves.
    legalComments: 'external',
    banner: { js: COMMON_JS },
    plugins: [
      ...(domains === undefined ? [] : [listedDomains(domains)]),
      httpOnDemand,
      optionalPackages,
      plainTexts,
    ],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const target = join(root, folder);
  mkdirSync(target, { recursive: true });
  const isEntry = new Set(Object.keys(programs).map((name) => join(target, `${name}.js`)));
  // A program that is started right now finds every chunk that it names.
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

/** Whoever starts it meanwhile reads the old one or the new one, never half of it. */
function replaceIfChanged(path: string, contents: Uint8Array): void {
  if (statSync(path, { throwIfNoEntry: false }) && readFileSync(path).equals(contents)) return;
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, contents);
  renameSync(unfinished, path);
}

/** Chunks of an earlier build stay for a day: a program that still runs may load one of them late. */
function removeAbandoned(folder: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (path.endsWith('.js') && !current.has(path) && age > KEPT_MS) rmSync(path, { force: true });
  }
}
