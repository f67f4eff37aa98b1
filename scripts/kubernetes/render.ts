import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { kubernetesPrograms } from './programs.ts';

const HEAD = '# What the chart of k8s/chart renders. Written by: npm run gen:k8s\n';
const BASE = join('k8s', 'base', 'capstan.yaml');
/** Kustomize component with the objects for the Prometheus operator. */
const MONITOR = join('k8s', 'components', 'pod-monitor', 'pod-monitor.yaml');
/** Kustomize component that stores documents in a bucket. */
const DOCUMENTS = join('k8s', 'components', 'documents', 'documents.yaml');

/** Variants of the chart's values, beside those of the base. */
const WORLDS: Readonly<Record<string, readonly string[]>> = {
  'without KEDA and policies': ['keda.enabled=false', 'networkPolicy.enabled=false'],
  'with documents in a bucket': ['documents.store=s3'],
  'with documents in a claim': ['documents.store=claim', 'documents.claim.storageClass=shared'],
};

/** File of values, below the root, that sets every value the chart leaves empty. */
const EVERYTHING = join('scripts', 'kubernetes', 'everything.yaml');

/** Values that the chart must refuse, with a part of the error message. */
const REFUSED: readonly (readonly [value: string, words: string])[] = [
  ['settings.DOCUMENTS_ROOT=/tmp/documents', 'pods would not share what one of them keeps'],
  ['ingest.settings.S3_BUCKET=documents', 'pods would not share what one of them keeps'],
  ['documents.store=folder', 'documents/store'],
  ['documents.claim.size=0', 'documents/claim/size'],
  ['api.settings.S3_BUCKET=documents', 'pods would not share what one of them keeps'],
  ['ingress.enabled=true', 'ingress/hosts'],
  ['service.type=ExternalName', 'service/type'],
];

/** Writes the files that kustomize takes from the chart; returns their paths. */
export async function renderBase(root: string): Promise<string> {
  const texts = await renderedTexts(root);
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text);
  return Object.keys(texts).join(', ');
}

/**
 * All manifests to check, by name: the base, variants of the chart, components, and overlays.
 * @throws {Error} when the chart fails Helm's lint, accepts a value that it must refuse, differs from the committed files,
 * or an overlay cannot be built
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

/** Builds an overlay with every component. */
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

/** Files that kustomize takes from the chart, by path. */
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
