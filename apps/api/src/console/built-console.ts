import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folder of the built console: below the nearest folder with a `package.json`, be it of a checkout or of the image. */
export function builtConsole(from: string = import.meta.dirname): string {
  if (existsSync(join(from, 'package.json'))) return join(from, 'dist', 'apps', 'console');
  const parent = dirname(from);
  if (parent === from) throw new Error('no folder above the program has a package.json');
  return builtConsole(parent);
}
