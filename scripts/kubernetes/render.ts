import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { kubernetesPrograms } from './programs.ts';

const HEAD = '# What the chart of k8s/chart renders. Written by: npm run gen:k8s\n';
const BASE = join('k8s', 'base', 'capstan.yaml');
/** What only the operator of Prometheus reads, as a kustomize component. */
const MONITOR = join('k8s', 'components', 'pod-monitor', 'pod-monitor.yaml');
/** What keeps documents in a bucket, as a kustomize component. */
const DOCUMENTS = join('k8s', 'components', 'documents', 'documents.yaml');

/** What the chart can be asked for beside what the base has. */
const WORLDS: Readonly<Record<string, readonly string[]>> = {
  'without KEDA and policies': ['keda.enabled=false', 'networkPolicy.enabled=false'],
  'with documents in a bucket': ['documents.store=s3'],
  'with documents in a claim': ['documents.store=claim', 'documents.claim.storageClass=shared'],
};

/** A file of values, below the root, in which every value has a meaning that the chart leaves empty by itself. */
const EVERYTHING = join('scripts', 'kubernetes', 'everything.yaml');

/** What the chart refuses, with a part of the words that say why. */
const REFUSED: readonly (readonly [value: string, words: string])[] = [
  ['settings.DOCUMENTS_ROOT=/tmp/documents', 'pods would not share what one of them keeps'],
  ['ingest.settings.S3_BUCKET=documents', 'pods would not share what one of them keeps'],
  ['documents.store=folder', 'documents/store'],
  ['documents.claim.size=0', 'documents/claim/size'],
  ['api.settings.S3_BUCKET=documents', 'pods would not share what one of them keeps'],
  ['ingress.enabled=true', 'ingress/hosts'],
  ['service.type=ExternalName', 'service/type'],
];

/** Writes anew what kustomize takes from the chart; answers the paths. */
export async function renderBase(root: string): Promise<string> {
  const texts = await renderedTexts(root);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  return Object.keys(texts).join(', ');
}

/**
 * What would be applied, by its name: the chart as the base has it, as it can be asked for otherwise, with each component,
 * and each overlay.
 * @throws {Error} when the chart does not pass Helm's own checks, takes what it has to refuse, what kustomize has is not
 *   what it renders, or an overlay cannot be built
 */
export async function renderedManifests(root: string): Promise<Readonly<Record<string, string>>> {
  const { helm, kubectl } = await kubernetesPrograms(root);
  const chart = join(root, 'k8s', 'chart');
  await execa(helm, ['lint', '--strict', '--quiet', chart]);
  const texts = await renderedTexts(root);
  for (const [path, text] of Object.entries(texts))
    if (readFileSync(join(root, path), 'utf8') !== text)
      throw new Error(`${path} is out of date: npm run gen:k8s`);
  for (const [value, words] of REFUSED) await assertRefused(helm, chart, value, words);
  const worlds = Object.entries(WORLDS).map(async ([name, values]) => {
    const options = values.flatMap((value) => ['--set', value]);
    const { stdout } = await execa(helm, ['template', 'world', chart, ...options]);
    return [name, stdout] as const;
  });
  const overlays = readdirSync(join(root, 'k8s', 'overlays'));
  const built = overlays.map(async (overlay) => {
    const { stdout } = await execa(kubectl, ['kustomize', join(root, 'k8s', 'overlays', overlay)]);
    return [`overlay ${overlay}`, stdout] as const;
  });
  return {
    ...texts,
    ...Object.fromEntries(await Promise.all(worlds)),
    ...Object.fromEntries(await Promise.all(built)),
    'with everything': await renderEverything(root),
    'base with every component': await withComponents(root, kubectl),
  };
}

/** The chart with every value set, as the release `production`. */
export async function renderEverything(root: string): Promise<string> {
  const { helm } = await kubernetesPrograms(root);
  const chart = join(root, 'k8s', 'chart');
  const values = ['--values', join(root, EVERYTHING)];
  return (await execa(helm, ['template', 'production', chart, ...values])).stdout;
}

async function assertRefused(helm: string, chart: string, value: string, words: string): Promise<void> {
  const { failed, stderr } = await execa(helm, ['template', 'refused', chart, '--set', value], {
    reject: false,
  });
  if (!failed || !stderr.includes(words)) throw new Error(`the chart takes --set ${value}`);
}

/** What an overlay makes that asks for all of them. */
async function withComponents(root: string, kubectl: string): Promise<string> {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'overlay-'));
  try {
    const k8s = join('..', '..', '..', 'k8s');
    const components = readdirSync(join(root, 'k8s', 'components'));
    const overlay = {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: [join(k8s, 'base')],
      components: components.map((component) => join(k8s, 'components', component)),
    };
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
    return (await execa(kubectl, ['kustomize', folder])).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What kustomize takes from the chart, by path. */
async function renderedTexts(root: string): Promise<Readonly<Record<string, string>>> {
  const { helm } = await kubernetesPrograms(root);
  const render = async (options: readonly string[]): Promise<string> => {
    const { stdout } = await execa(helm, ['template', 'capstan', join(root, 'k8s', 'chart'), ...options]);
    return `${HEAD}${stdout}\n`;
  };
  const monitor = ['--set', 'metrics.podMonitor=true', '--show-only', 'templates/monitor.yaml'];
  const documents = ['--set', 'documents.store=s3', '--show-only', 'templates/documents.yaml'];
  return {
    [BASE]: await render([]),
    [MONITOR]: await render(monitor),
    [DOCUMENTS]: await render(documents),
  };
}
