import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Plugin } from 'esbuild';

/** They load others by a `require` of their own making, which no bundler sees: those others would be there twice. */
const REQUIRING =
  /node_modules\/(?:@nestjs\/typeorm\/dist\/common\/typeorm-compat|nestjs-zod\/dist\/index)\.m?js$/;
const MADE_REQUIRE = /^(?:const|var) (\w+) = (?:\/\* @__PURE__ \*\/ )?createRequire\(import\.meta\.url\);$/m;
const ASKED = Symbol('asked already');

/**
 * Another list of domains. That list may import the one of the installation by its own name, `#libs/domains`.
 * @param file an absolute path
 */
export function listedDomains(file: string): Plugin {
  return {
    name: 'listed-domains',
    setup: (build) => {
      build.onResolve({ filter: /^#libs\/domains$/ }, ({ importer }) =>
        importer === file ? undefined : { path: file },
      );
    },
  };
}

/** What a package asks for and is not installed is asked for when it runs, as ever: the package can do without. */
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
 * Exports of `node:http` are read when they are used. An `import` reads all of it at once, and some of it loads the
 * whole client behind `fetch`, which costs a start more than a framework does.
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
 * The texts of modules as a bundle wants them. V8 keeps a file in two bytes for each character when a single one of them is
 * not ASCII: what is not is escaped, which says the same in literals, regular expressions and names. What a package requires
 * by `createRequire(import.meta.url)` is imported.
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
