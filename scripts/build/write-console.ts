// Last part of `npm run build`: bundles the console into dist/apps/console, unless it is there from the same sources.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { firstLoadOf, MAX_FIRST_LOAD_KB, type BuiltFile } from './first-load.ts';

const root = join(import.meta.dirname, '..', '..');
const SOURCES = ['apps/console', 'scripts/build/first-load.ts', 'scripts/build/write-console.ts'];
const SETTINGS = ['package.json', 'package-lock.json', 'tsconfig.json'];
const record = join(root, 'dist/.console-sources');

const fingerprint = fingerprintOf([...SETTINGS, ...SOURCES]);
if (!isCurrent()) {
  const outputs = await build({
    configFile: join(root, 'apps/console/vite.config.ts'),
    logLevel: 'warn',
  });
  if (!Array.isArray(outputs) && !('output' in outputs)) throw new Error('The console is being watched.');
  const files = [outputs].flat().flatMap(({ output }) => output.map(builtFileOf));
  const firstLoad = firstLoadOf(files);
  if (firstLoad > MAX_FIRST_LOAD_KB) {
    throw new Error(
      `The console loads ${firstLoad} kB (gzip) at first; the maximum is ${MAX_FIRST_LOAD_KB}.`,
    );
  }
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(record, `${fingerprint}\n`);
  process.stdout.write(`Console: ${firstLoad} kB (gzip) at first\n`);
}

function isCurrent(): boolean {
  return (
    existsSync(join(root, 'dist/apps/console/index.html')) &&
    existsSync(record) &&
    readFileSync(record, 'utf8').trim() === fingerprint
  );
}

function fingerprintOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths.flatMap(filesOf)) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** Files below a path, or the path itself where it is a file. */
function filesOf(path: string): string[] {
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [path];
  return readdirSync(join(root, path))
    .toSorted()
    .flatMap((name) => filesOf(`${path}/${name}`));
}

type Output = Extract<Awaited<ReturnType<typeof build>>, { output: unknown }>['output'][number];

function builtFileOf(file: Output): BuiltFile {
  if (file.type === 'asset') {
    return { name: file.fileName, content: file.source, imports: [], isEntry: false, source: null };
  }
  return {
    name: file.fileName,
    content: file.code,
    imports: [...file.imports, ...(file.viteMetadata?.importedCss ?? [])],
    isEntry: file.isEntry,
    source: file.facadeModuleId,
  };
}
