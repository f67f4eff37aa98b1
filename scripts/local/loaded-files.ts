import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** `from './x.js'`, `import './x.js'` and `import('./x.js')`, as the compiler writes them. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)["']([^"']+)["']/gu;
const LIBRARY = /^#libs\/(.+)$/u;

/**
 * Built files that a service loads: its whole app, since it starts programs by path, and the library modules imported from
 * there, directly or not.
 * @param dist folder of the build
 * @returns paths below `dist`, with `/`
 */
export function loadedFiles(dist: string, app: string): ReadonlySet<string> {
  const own = join(dist, 'apps', app);
  const waiting = readdirSync(own, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(own, name));
  const seen = new Set(waiting);
  for (const file of waiting) {
    for (const imported of importsOf(file, dist)) {
      if (seen.has(imported)) continue;
      seen.add(imported);
      waiting.push(imported);
    }
  }
  return new Set([...seen].map((file) => relative(dist, file).replaceAll(sep, '/')));
}

function importsOf(file: string, dist: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, specifier = '']) => {
      const [, library] = LIBRARY.exec(specifier) ?? [];
      if (library !== undefined) return doorOf(library, dist);
      return specifier.startsWith('.') ? resolve(dirname(file), specifier) : null;
    })
    .filter((path): path is string => path !== null && existsSync(path));
}

/** Entry of a library, as in `imports` of package.json. */
function doorOf(library: string, dist: string): string {
  return join(dist, 'libs', library, 'src', 'index.js');
}
