import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Plugin } from 'esbuild';

/** Modules that load others by `createRequire`, which a bundler does not follow: these would be loaded a second time. */
const REQUIRING =
  /node_modules\/(?:@nestjs\/typeorm\/dist\/common\/typeorm-compat|nestjs-zod\/dist\/index)\.m?js$/;
const MADE_REQUIRE = /^(?:const|var) (\w+) = (?:\/\* @__PURE__ \*\/ )?createRequire\(import\.meta\.url\);$/m;
const ASKED = Symbol('asked already');

/** Leaves missing packages external, since they are optional dependencies that packages try at run time. */
export const optionalPackages: Plugin = {
  name: 'optional-packages',
  setup: (build) => {
    build.onResolve({ filter: /^[^.#]/ }, async ({ path, pluginData, ...asked }) => {
      const isOfPackage = asked.importer.includes('node_modules');
      if (isAbsolute(path) || pluginData === ASKED || !isOfPackage) return undefined;
      const { kind, importer, resolveDir, namespace } = asked;
      const found = await build.resolve(path, { kind, importer, resolveDir, namespace, pluginData: ASKED });
      return found.errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/**
 * Loads exports of `node:http` on first use. An `import` reads all of them at once, and some load the whole client of
 * `fetch`, which costs more at start than a framework.
 */
export const httpOnDemand: Plugin = {
  name: 'http-on-demand',
  setup: (build) => {
    build.onResolve({ filter: /^(?:node:)?http$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'on-demand' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'on-demand' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
  },
};

/**
 * Rewrites module texts for the bundle. V8 stores a file with any non-ASCII character in two bytes a character, so these are
 * escaped, which is equivalent in literals, regular expressions and names. Calls of `createRequire(import.meta.url)` become
 * imports.
 */
export const plainTexts: Plugin = {
  name: 'plain-texts',
  setup: (build) => {
    build.onLoad({ filter: /\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: inAscii(REQUIRING.test(path) ? importingInstead(path, text) : text), loader: 'js' };
    });
  },
};

function inAscii(text: string): string {
  return text.replaceAll(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function importingInstead(path: string, text: string): string {
  const [statement, name] = MADE_REQUIRE.exec(text) ?? [];
  if (statement === undefined || name === undefined) throw new Error(`${path} requires in another way now`);
  const imports: string[] = [];
  const body = text
    .replace(statement, '')
    .replaceAll(new RegExp(`\\b${name}\\((['"][^'"]+['"])\\)`, 'g'), (_call, specifier: string) => {
      imports.push(`import * as __required${imports.length} from ${specifier};`);
      return `__required${imports.length - 1}`;
    });
  return `${imports.join('\n')}\n${body}`;
}
