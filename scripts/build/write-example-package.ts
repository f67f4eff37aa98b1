// Part of `npm run build`: gives the examples the parts of the npm package that they import, as an installed package would.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePart } from './bundle-part.ts';
import { PACKAGE_PARTS } from './package-parts.ts';

const NAME = 'capstan';
const root = join(import.meta.dirname, '..', '..');
const examples = join(root, 'examples');
// An image has no examples.
if (existsSync(examples)) await writePackage(join(examples, 'node_modules', NAME));

async function writePackage(folder: string): Promise<void> {
  const parts = Object.entries(PACKAGE_PARTS).map(([name, entry]) => ({
    entry,
    place: `.${name.slice(NAME.length)}`,
    file: `./${name.slice(NAME.length + 1).replaceAll('/', '-')}.js`,
  }));
  for (const { entry, file } of parts)
    await bundlePart({ root, entry, outfile: join(folder, file), external: ['zod'] });
  const exports = Object.fromEntries(parts.map(({ place, file }) => [place, file]));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: NAME, type: 'module', exports }));
}
