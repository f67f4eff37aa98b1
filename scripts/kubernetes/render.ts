import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { kubernetesPrograms } from './programs.ts';

const HEAD =
  '# What the chart beside this folder renders with its own values. Written by: npm run k8s:render\n';
const BASE = join('k8s', 'base', 'capstan.yaml');

/** Writes the base anew from the chart; answers its path. */
export async function renderBase(root: string): Promise<string> {
  writeFileSync(join(root, BASE), await baseText(root));
  return BASE;
}

/**
 * What would be applied, by its name: the chart as the base has it, the chart without what not every cluster has, and
 * each overlay.
 * @throws {Error} when the chart does not pass Helm's own checks, the base is not what it renders, or an overlay
 *   cannot be built
 */
export async function renderedManifests(root: string): Promise<Readonly<Record<string, string>>> {
  const { helm, kubectl } = await kubernetesPrograms(root);
  const chart = join(root, 'k8s', 'chart');
  await execa(helm, ['lint', '--strict', '--quiet', chart]);
  const base = await baseText(root);
  if (readFileSync(join(root, BASE), 'utf8') !== base)
    throw new Error(`${BASE} is out of date: npm run k8s:render`);
  const plain = await execa(helm, [
    'template',
    'plain',
    chart,
    ...['keda.enabled=false', 'networkPolicy.enabled=false'].flatMap((value) => ['--set', value]),
  ]);
  const overlays = readdirSync(join(root, 'k8s', 'overlays'));
  const built = overlays.map(async (overlay) => {
    const { stdout } = await execa(kubectl, ['kustomize', join(root, 'k8s', 'overlays', overlay)]);
    return [`overlay ${overlay}`, stdout] as const;
  });
  return { base, 'without KEDA and policies': plain.stdout, ...Object.fromEntries(await Promise.all(built)) };
}

async function baseText(root: string): Promise<string> {
  const { helm } = await kubernetesPrograms(root);
  const { stdout } = await execa(helm, ['template', 'capstan', join(root, 'k8s', 'chart')]);
  return `${HEAD}${stdout}\n`;
}
