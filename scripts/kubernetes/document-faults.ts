import type { Manifest } from './manifest-faults.ts';
import type { Container, Workload } from './workload.ts';

/** Memory of a worker beside its documents, in MiB. */
const WORKER_MIB = 384;
const UPLOADS_MIB = 512;
const UNITS: Readonly<Record<string, number>> = { Mi: 1, Gi: 1_024, Ti: 1_048_576 };

interface Claim extends Manifest {
  readonly spec: { readonly accessModes?: readonly string[] };
}

/**
 * Finds settings that lose documents or kill ingesting pods: storage that pods do not share, too little memory for parsing,
 * too little room for uploads. Pure; one line for each fault.
 */
export function documentFaults(manifests: readonly Manifest[], workloads: readonly Workload[]): string[] {
  const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim') as Claim[];
  const lasting = workloads.filter(({ kind }) => kind === 'Deployment');
  const places = new Set(lasting.map(placeOf));
  return [
    ...(places.size > 1 ? ['documents: not every process is given the same place'] : []),
    ...lasting.flatMap((workload) => [
      ...sharingFaults(workload, claims),
      ...memoryFaults(workload),
      ...roomFaults(workload),
    ]),
  ];
}

/** `folder /documents`, `bucket`, or an empty text. */
function placeOf(workload: Workload): string {
  const [container] = workload.spec.template.spec.containers;
  const folder = variable(container, 'DOCUMENTS_ROOT');
  if (folder !== undefined) return `folder ${folder}`;
  return container?.env?.some(({ name }) => name === 'S3_BUCKET') === true ? 'bucket' : '';
}

function sharingFaults(workload: Workload, claims: readonly Claim[]): string[] {
  const { containers, volumes = [] } = workload.spec.template.spec;
  const folder = variable(containers[0], 'DOCUMENTS_ROOT');
  if (folder === undefined) return [];
  const mount = containers[0]?.volumeMounts?.find(({ mountPath }) => mountPath === folder);
  const volume = volumes.find(({ name }) => name === mount?.name);
  const claim = claims.find(({ metadata }) => metadata.name === volume?.persistentVolumeClaim?.claimName);
  if (claim?.spec.accessModes?.join() === 'ReadWriteMany') return [];
  return [`Deployment ${workload.metadata.name}: keeps documents where other pods do not find them`];
}

function memoryFaults({ metadata, spec }: Workload): string[] {
  const [container] = spec.template.spec.containers;
  const roles = variable(container, 'WORKER_ROLES')?.split(',') ?? [];
  if (!roles.includes('ingest')) return [];
  const readers = Number(variable(container, 'INGEST_CONCURRENCY') ?? 2);
  const needed = readers * Number(variable(container, 'PARSE_MEMORY_MB') ?? 1_024) + WORKER_MIB;
  if (mibOf(container?.resources?.limits?.['memory']) >= needed) return [];
  return [`Deployment ${metadata.name}: is killed over documents that it may read`];
}

/** Kubernetes evicts a pod that exceeds its volume for temporary files. */
function roomFaults(workload: Workload): string[] {
  const { containers, volumes = [] } = workload.spec.template.spec;
  if (placeOf(workload) === '' || variable(containers[0], 'PORT') === undefined) return [];
  const room = volumes.find(({ name }) => name === 'tmp')?.emptyDir?.sizeLimit;
  const uploads = Number(variable(containers[0], 'UPLOADS_MB') ?? UPLOADS_MIB);
  return mibOf(room) >= uploads
    ? []
    : [`Deployment ${workload.metadata.name}: is evicted over files on their way`];
}

function variable(container: Container | undefined, name: string): string | undefined {
  return container?.env?.find((entry) => entry.name === name)?.value;
}

function mibOf(size = '0Mi'): number {
  const [, digits = '0', unit = ''] = /^(\d+)([MGT]i)$/.exec(size) ?? [];
  return Number(digits) * (UNITS[unit] ?? 0);
}
