// Writes the files that an image needs beside the programs: packages read outside the bundles, and the licences of all
// bundled packages.
//   node scripts/build/write-runtime.ts FOLDER
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundlePrograms } from './bundle-programs.ts';
import { PROGRAM_FOLDERS, PROGRAMS, SIMULATOR } from './programs.ts';
import { copyRuntimeFiles } from './copy-runtime-files.ts';
import { isLicence, packageFolder } from './runtime-files.ts';

const root = join(import.meta.dirname, '..', '..');
const [, , given] = process.argv;
if (given === undefined) throw new Error('usage: write-runtime.ts FOLDER');
const target = resolve(given);

rmSync(target, { recursive: true, force: true });
copyRuntimeFiles(root, target);
const bundles = [
  await bundlePrograms({ root, programs: PROGRAMS, folder: PROGRAM_FOLDERS.service }),
  await bundlePrograms({ root, programs: SIMULATOR, folder: PROGRAM_FOLDERS.simulator }),
];
const inputs = bundles.flatMap((bundle) => Object.keys(bundle.inputs));
const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== null));
writeFileSync(join(target, 'licences.txt'), [...folders].toSorted().map(licenceOf).join('\n'));

/** Name, version and licence of a package, with its licence texts. */
function licenceOf(folder: string): string {
  const at = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const texts = readdirSync(at, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence(entry.name))
    .map((entry) => readFileSync(join(at, entry.name), 'utf8').trim());
  return `==== ${name}@${version} (${license ?? 'see below'})\n\n${texts.join('\n\n')}\n`;
}
