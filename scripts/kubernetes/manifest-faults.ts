import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

/** Fields that every object has. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** Parses YAML documents into objects; throws for invalid YAML. */
export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

/**
 * Faults that the API of Kubernetes 1.34, KEDA 2 or the Prometheus operator would refuse: values by schema, unknown fields
 * by type.
 * @returns the number of objects, and one line for each fault
 */
export async function manifestFaults(
  root: string,
  text: string,
): Promise<{ readonly count: number; readonly faults: readonly string[] }> {
  const manifests = readManifests(text);
  const bySchema = await Promise.all(manifests.map(schemaFaults));
  return { count: manifests.length, faults: [...bySchema.flat(), ...typeFaults(root, manifests)] };
}

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Packages with the schemas of API groups that Kubernetes itself lacks. */
const LIBRARIES: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

/** Module with the schema of a kind, e.g. `kubernetes-models/apps/v1/Deployment`. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${LIBRARIES[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

async function schemaFaults(manifest: Manifest): Promise<string[]> {
  try {
    const models = (await import(moduleOf(manifest))) as Record<
      string,
      new (data: Manifest) => { validate(): void }
    >;
    const Model = models[manifest.kind];
    if (Model === undefined) return [`${nameOf(manifest)}: unknown kind`];
    new Model(manifest).validate();
    return [];
  } catch (error) {
    return [`${nameOf(manifest)}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The schemas allow unknown fields; the types refuse them in a literal. */
function typeFaults(root: string, manifests: readonly Manifest[]): string[] {
  // In this folder, so that the compiler resolves the types.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'manifests-'));
  try {
    const file = join(folder, 'manifests.mts');
    const lines = manifests.map(
      (manifest, index) =>
        `import type { I${manifest.kind} as T${index} } from '${moduleOf(manifest)}'; ` +
        `export const m${index}: T${index} = ${JSON.stringify(manifest)};`,
    );
    writeFileSync(file, lines.join('\n'));
    const program = ts.createProgram([file], {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    });
    return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
      const line = diagnostic.file?.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line ?? 0;
      const manifest = manifests[line];
      const reason = ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ');
      return `${manifest === undefined ? 'manifests' : nameOf(manifest)}: ${reason}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
