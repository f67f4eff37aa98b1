// Third part of `npm run build`: bundles the console into dist/apps/console, unless it is there from the same sources.
import { join } from 'node:path';
import { build } from 'vite';
import { firstLoadOf, MAX_FIRST_LOAD_KB, type BuiltFile } from './first-load.ts';
import { buildIfChanged } from './source-fingerprint.ts';
import { writeCompressed } from './write-compressed.ts';

const root = join(import.meta.dirname, '..', '..');

await buildIfChanged(
  {
    root,
    sources: [
      'apps/console',
      'scripts/build/first-load.ts',
      'scripts/build/write-compressed.ts',
      'scripts/build/write-console.ts',
    ],
    output: 'dist/apps/console/index.html',
    record: 'dist/.console-sources',
  },
  buildConsole,
);

async function buildConsole(): Promise<void> {
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
  writeCompressed(join(root, 'dist/apps/console/assets'));
  process.stdout.write(`Console: ${firstLoad} kB (gzip) at first\n`);
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
