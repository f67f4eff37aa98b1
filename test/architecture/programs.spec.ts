import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { bundlePrograms } from '../../scripts/build/bundle-programs.ts';
import {
  compiledFile,
  PROGRAM_FOLDERS,
  PROGRAM_NAMES,
  programFile,
  PROGRAMS,
  STARTED_PROGRAMS,
} from '../../scripts/build/programs.ts';
import { filesUnder, ROOT } from './repository-files.js';

/** Modules of the build that files name although they are not programs of the service. */
const NO_PROGRAMS = [
  'dist/apps/api/src/write-openapi.js',
  'dist/apps/api/src/write-errors.js',
  'dist/apps/worker/src/install-engine.js',
];
const NAMED = /(?<![\w/.])dist\/(?:apps|libs|programs|simulator)\/[\w./-]+\.m?js\b/g;

/** Modules that may load more than the bundle by a `require` made from their own URL, with the loaded part. */
const REQUIRES_BY_ITSELF: Readonly<Record<string, string>> = {
  'libs/document-parsers/src/pdf/character-maps.js': 'the folder of character maps, which is files',
  'libs/model-providers/src/tokenizer/load-encoding.js': 'a tokenizer and its tokens, for its first text',
  '@nestjs/common/utils/load-package.util.js': 'a package that nobody asks for by its name',
  '@nestjs/swagger/dist/swagger-ui/swagger-ui.js': 'the folder of a page, which is not served',
  '@nestjs/mapped-types/dist/type-helpers.utils.js':
    'a package for classes with decorators, which is not installed',
  'msgpackr/dist/node.cjs': 'a binary, which need not be there',
  'node-gyp-build-optional-packages/node-gyp-build.js': 'that binary',
  'pino/lib/transport.js': 'a writer in a thread, which we do not have',
  'unpdf/dist/pdfjs.mjs': 'a canvas, to draw what we only read',
  '@nestjs/typeorm/dist/common/typeorm-compat.js': 'nothing: the bundle has what it requires',
  'nestjs-zod/dist/index.mjs': 'nothing: the bundle has what it requires',
};

/** Prefix of modules without a file; the plugin `httpOnDemand` generates their code. */
const WRITTEN_BY_PLUGIN = 'on-demand:';

describe('the programs of the service', () => {
  let metafile: Metafile;

  beforeAll(async () => {
    metafile = await bundlePrograms({ root: ROOT, programs: PROGRAMS, folder: PROGRAM_FOLDERS.service });
  });

  it('are all there once they are built', () => {
    const files = PROGRAM_NAMES.flatMap((name) => [programFile(name), compiledFile(name)]);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('are started as what the list says, wherever one is started', () => {
    const started = filesUnder('.')
      .filter(({ path }) => !path.startsWith('test/architecture/'))
      .flatMap(({ path, text }) => [...text.matchAll(NAMED)].map(([file]) => ({ path, file })));
    const known: readonly string[] = [...PROGRAM_NAMES.map(programFile), ...NO_PROGRAMS];
    expect(started.length).toBeGreaterThan(10);
    expect(started.filter(({ file }) => !known.includes(file))).toEqual([]);
  });

  it('and their child programs stand together, in the bundle as in the sources', () => {
    const sources = ['apps', 'libs']
      .flatMap(filesUnder)
      // The console is no program: Vite bundles it for browsers.
      .filter(({ path }) => !path.endsWith('.spec.ts') && !path.startsWith('apps/console/'));
    const addressed = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)].map(([, to = '']) =>
        join(path, '..', to),
      ),
    );
    const started = Object.entries(STARTED_PROGRAMS);
    expect(addressed.toSorted()).toEqual(started.map(([, module]) => module).toSorted());
    expect(started.filter(([name, module]) => basename(module) !== `${name}.js`)).toEqual([]);
    const byAddress = sources.filter(({ text }) => /import\.meta\b(?!\.url\))/.test(text));
    // It looks for the nearest folder with a package.json, which is the same from a bundle.
    expect(byAddress.map(({ path }) => path)).toEqual(['apps/api/src/pages/built-folder.ts']);
  });

  it('need nothing at their start but what Node has and what they bring along', () => {
    const outside = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .filter(({ external, path }) => external === true && !isBuiltin(path));
    expect(outside.filter(({ kind }) => kind === 'import-statement')).toEqual([]);
  });

  it('hold no package that loads others past the bundle, but known ones', () => {
    const requiring = Object.keys(metafile.inputs)
      .filter((path) => !path.startsWith(WRITTEN_BY_PLUGIN))
      .filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('createRequire('))
      .map((path) => path.replace(/^.*node_modules\/|^dist\//, ''));
    expect(requiring.toSorted()).toEqual(Object.keys(REQUIRES_BY_ITSELF).toSorted());
  });

  it('import nothing of node:http, which would load all that it exports', () => {
    const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
    const http = imports.filter(({ path }) => /^(?:node:)?http$/.test(path));
    expect(http.length).toBeGreaterThan(0);
    expect(http.filter(({ kind }) => kind !== 'require-call')).toEqual([]);
  });

  it('load what most of them never need where it is used first', () => {
    const late =
      /node_modules\/(?:openai\/(?:index|client)\.|gpt-tokenizer\/|unpdf\/dist\/pdfjs|swagger-ui-dist\/)/;
    for (const name of Object.keys(PROGRAMS)) {
      const files = [...loadedAtStart(metafile, `${PROGRAM_FOLDERS.service}/${name}.js`)];
      const inputs = files.flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
      expect(inputs.length).toBeGreaterThan(0);
      expect([name, inputs.filter((path) => late.test(path))]).toEqual([name, []]);
    }
  });
});

/** A file of the bundle and all files that it imports statically, directly or indirectly. */
function loadedAtStart({ outputs }: Metafile, entry: string): ReadonlySet<string> {
  const seen = new Set([entry]);
  for (const file of seen)
    for (const { path, kind } of outputs[file]?.imports ?? [])
      if (kind === 'import-statement' && outputs[path] !== undefined) seen.add(path);
  return seen;
}
