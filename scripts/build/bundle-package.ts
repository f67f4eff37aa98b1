import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Bundles the parts of the npm package into its `dist`: client, hooks and command line; packages stay imports. */
export async function bundlePackage(root: string, dist = join(root, 'packages/capstan/dist')): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await build({
    absWorkingDir: join(root, 'packages/capstan'),
    entryPoints: { client: 'src/client/index.ts', react: 'src/react/index.ts', cli: 'src/cli/main.ts' },
    outdir: dist,
    bundle: true,
    // The client is there once, however many parts use it.
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    format: 'esm',
    target: 'es2023',
    platform: 'neutral',
    packages: 'external',
    external: ['node:*'],
    legalComments: 'none',
    logLevel: 'warning',
  });
  await chmod(join(dist, 'cli.js'), 0o755);
}
