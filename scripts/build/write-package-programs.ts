import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyRuntimeFiles } from './copy-runtime-files.ts';
import { bundlePart } from './bundle-part.ts';
import { bundlePrograms } from './bundle-programs.ts';
import { PACKAGE_PARTS } from './package-parts.ts';
import { PROGRAM_FOLDERS, PROGRAMS, SIMULATOR } from './programs.ts';

/**
 * Writes the service's part of the npm package below `folder/dist`: programs, simulator, console, documentation, the kit
 * with its types, and the local environment of `capstan dev`. Needs the modules and the pages of `npm run build`.
 * @param root root of the repository
 * @param folder folder of the package, below `root`
 */
export async function writePackagePrograms(root: string, folder: string): Promise<void> {
  const dist = join(root, folder, 'dist');
  for (const [programs, target] of [
    [PROGRAMS, PROGRAM_FOLDERS.service],
    [SIMULATOR, PROGRAM_FOLDERS.simulator],
  ] as const) {
    rmSync(join(root, folder, target), { recursive: true, force: true });
    await bundlePrograms({ root, programs, folder: `${folder}/${target}` });
  }
  rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true });
  copyRuntimeFiles(root, join(root, folder));
  for (const pages of ['apps/console', 'site'])
    cpSync(join(root, 'dist', pages), join(dist, pages), { recursive: true });
  await bundlePart({ root, entry: PACKAGE_PARTS['capstan/kit'], outfile: join(dist, 'kit/index.js') });
  const testing = PACKAGE_PARTS['capstan/kit/testing'];
  await bundlePart({ root, entry: testing, outfile: join(dist, 'kit/testing.js'), external: ['zod'] });
  writeKitTypes(root, join(dist, 'kit'));
  await bundlePart({ root, entry: 'scripts/project/main.ts', outfile: join(dist, 'local/main.js') });
  // Loaded by its address, relative to the bundle above.
  cpSync(join(root, 'scripts/bootstrap/exit-with-parent.mjs'), join(dist, 'bootstrap/exit-with-parent.mjs'));
}

function writeKitTypes(root: string, outDir: string): void {
  const options = ['--declaration', '--emitDeclarationOnly', '--ignoreConfig', '--strict', '--skipLibCheck'];
  const language = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  const args = [
    'libs/kit/src/index.ts',
    'libs/kit/src/testing.ts',
    ...options,
    ...language,
    '--outDir',
    outDir,
  ];
  execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' });
}
