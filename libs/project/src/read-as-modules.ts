import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const folders = new Set<string>();

/**
 * Loads the TypeScript files of a folder as ES modules, also below a `package.json` with `"type": "commonjs"`, which
 * `npm init` writes; and finds `./a.ts` where a file of the folder imports `./a.js` or `./a`, as TypeScript allows. Packages
 * in `node_modules` stay as they are.
 */
export function readAsModules(folder: string): void {
  if (folders.size === 0) registerHooks({ resolve, load });
  folders.add(`${pathToFileURL(folder).href}/`);
}

type Hooks = Required<Parameters<typeof registerHooks>[0]>;

const resolve: Hooks['resolve'] = (specifier, context, next) => {
  try {
    return next(specifier, context);
  } catch (error) {
    if (!/^\.\.?\//.test(specifier) || !isOfProject(context.parentURL ?? '')) throw error;
    try {
      return next(`${specifier.replace(/\.js$/, '')}.ts`, context);
    } catch {
      throw error;
    }
  }
};

const load: Hooks['load'] = (url, context, next) =>
  next(
    url,
    isOfProject(url) && /\.ts(?:\?|$)/.test(url) ? { ...context, format: 'module-typescript' } : context,
  );

function isOfProject(url: string): boolean {
  return !url.includes('/node_modules/') && [...folders].some((folder) => url.startsWith(folder));
}
