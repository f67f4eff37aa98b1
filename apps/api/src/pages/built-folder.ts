import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A built folder below `dist` of the nearest folder with a `package.json`, be it of a checkout, of the image or of the npm
 * package.
 */
export function builtFolder(name: string, from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return join(from, 'dist', name);
  const parent = dirname(from);
  if (parent === from) throw new Error('no folder above the program has a package.json');
  return builtFolder(name, parent);
}
