import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ScriptTransformer } from '@jest/transform';
import { PACKAGE_PARTS } from '../../scripts/build/package-parts.ts';

const SOURCES = new URL('../../', import.meta.url).href;
const GLOBALS = new URL('./live-globals.ts', import.meta.url).href;
/** Sources of the parts of the npm package, which examples import. */
const PARTS: ReadonlyMap<string, string> = new Map(
  Object.entries(PACKAGE_PARTS).map(([name, file]) => [name, new URL(file, SOURCES).href]),
);
/** The condition under which package.json names our sources and not the build. */
const CONDITION = 'capstan-source';
const OPTIONS = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

const sourceMaps = new Map<string, string>();
let transformer: ScriptTransformer | null = null;

/**
 * Has Node compile our sources as Jest is configured to, with its cache, and find `./x.ts` where `./x.js` is imported.
 * @returns the file of the source map of each module by the URL of the module, kept up to date
 */
export function importBy(current: ScriptTransformer): Map<string, string> {
  if (transformer === null) register();
  transformer = current;
  return sourceMaps;
}

function register(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
      const isOurs = context.parentURL !== undefined && isSource(context.parentURL);
      if (!isOurs) return next(specifier, context);
      const part = PARTS.get(specifier);
      if (part !== undefined) return { url: part, format: 'module', shortCircuit: true };
      const source = specifier.startsWith('.') ? sourceOf(new URL(specifier, context.parentURL)) : null;
      if (source !== null) return { url: source, format: 'module', shortCircuit: true };
      return next(specifier, { ...context, conditions: [...context.conditions, CONDITION] });
    },
    load(url, context, next) {
      const path = url.startsWith('file:') ? fileURLToPath(withoutQuery(url)) : '';
      if (transformer === null || !path.endsWith('.ts') || !isSource(url)) return next(url, context);
      const { code, sourceMapPath } = transformer.transform(path, OPTIONS as never) as {
        code: string;
        sourceMapPath: string | null;
      };
      if (sourceMapPath !== null) sourceMaps.set(url, sourceMapPath);
      return { format: 'module', shortCircuit: true, source: code };
    },
  });
}

/** The TypeScript that becomes the file that is imported; null where that file is there itself. */
function sourceOf(url: URL): string | null {
  if (!url.pathname.endsWith('.js')) return null;
  const source = `${url.href.slice(0, -'.js'.length)}.ts`;
  return existsSync(fileURLToPath(source)) ? source : null;
}

function isSource(url: string): boolean {
  return url.startsWith(SOURCES) && !url.includes('/node_modules/');
}

function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? url;
}
