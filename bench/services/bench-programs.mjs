// @ts-check
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from '../../scripts/build/bundle-programs.ts';
import { PROGRAMS } from '../../scripts/build/programs.ts';

const FOLDER = 'dist/bench';
const DOMAINS = fileURLToPath(new URL('../programs/bench-domains.mjs', import.meta.url));

/**
 * Bundles the service with one more domain: the tools of the bench.
 * @param {string} root
 */
export async function bundleBenchPrograms(root) {
  await bundlePrograms({ root, programs: PROGRAMS, folder: FOLDER, domains: DOMAINS });
}

/** @param {keyof typeof PROGRAMS} name */
export function benchProgramFile(name) {
  return `${FOLDER}/${name}.js`;
}
