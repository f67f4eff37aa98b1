import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { kubernetesPrograms } from './programs.ts';

const HEAD = '# What the chart of k8s/chart renders. Written by: npm run k8s:render\n';
const BASE = join('k8s', 'base', 'capstan.yaml');
/** What only the operator of Prometheus reads, as a kustomize component. */
const MONITOR = join('k8s', 'components', 'pod-monitor', 'pod-monitor.yaml');

/** Writes anew what kustomize takes from the chart; answers the paths. */
export async function renderBase(root: string): Promise<string> {
  const texts = await renderedTexts(root);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  return Object.keys(texts).join(', ');
}

/**
 * What would be applied, by its name: the chart as the base has it, with what the operator of Prometheus reads, and without
 * what not every cluster has, and each overlay.
 * @throws {Error} when the chart does not pass Helm's own checks, what kustomize has is not what it renders, or an
 *   overlay cannot be built
 */
export async function renderedManifests(root: string): Promise<Readonly<Record<string, string>>> {
  const { helm, kubectl } = await kubernetesPrograms(root);
  const chart = join(root, 'k8s', 'chart');
  await execa(helm, ['lint', '--strict', '--quiet', chart]);
  const texts = await renderedTexts(root);
  for (const [path, text] of Object.entries(texts))
    if (readFileSync(join(root, path), 'utf8') !== text)
      throw new Error(`${path} is out of date: npm run k8s:render`);
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
  return {
    ...texts,
    'without KEDA and policies': plain.stdout,
    ...Object.fromEntries(await Promise.all(built)),
  };
}

/** What kustomize takes from the chart, by path. */
async function renderedTexts(root: string): Promise<Readonly<Record<string, string>>> {
  const { helm } = await kubernetesPrograms(root);
  const render = async (options: readonly string[]): Promise<string> => {
    const { stdout } = await execa(helm, ['template', 'capstan', join(root, 'k8s', 'chart'), ...options]);
    return `${HEAD}${stdout}\n`;
  };
  const monitor = ['--set', 'metrics.podMonitor=true', '--show-only', 'templates/monitor.yaml'];
  return { [BASE]: await render([]), [MONITOR]: await render(monitor) };
}
