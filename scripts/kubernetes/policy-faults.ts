import type { Manifest } from './manifest-faults.ts';
import { documentFaults } from './document-faults.ts';
import type { Container, PodSpec, Workload } from './workload.ts';

interface Scaler extends Manifest {
  readonly spec: { readonly scaleTargetRef: { readonly name: string } };
}

interface Selecting extends Manifest {
  readonly spec: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

/** Kinds with pods that run until they are stopped. */
const isLasting = ({ kind }: Manifest): boolean => kind === 'Deployment';
const isWorkload = (manifest: Manifest): manifest is Workload =>
  ['Deployment', 'Job'].includes(manifest.kind);
const isScaler = (manifest: Manifest): manifest is Scaler =>
  ['HorizontalPodAutoscaler', 'ScaledObject'].includes(manifest.kind);

/**
 * Finds settings that a cluster accepts but that break operation: rights, limits, probes, grace periods, scaling. Pure; one
 * line for each fault.
 */
export function policyFaults(manifests: readonly Manifest[]): string[] {
  const workloads = manifests.filter(isWorkload);
  return [
    ...workloads.flatMap((workload) => podFaults(workload)),
    ...scalingFaults(manifests, workloads),
    ...documentFaults(manifests, workloads),
  ];
}

function podFaults(workload: Workload): string[] {
  const { spec } = workload.spec.template;
  const name = `${workload.kind} ${workload.metadata.name}`;
  const context = spec.securityContext;
  const rules: readonly (readonly [boolean, string])[] = [
    [context?.runAsNonRoot === true && (context.runAsUser ?? 0) > 0, 'may run as root'],
    [context?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
    [spec.automountServiceAccountToken === false, 'is given a token of the cluster'],
    [spec.shareProcessNamespace === true, 'is the first process, which no signal of its own ends'],
    ...spec.containers.flatMap((container) => containerRules(container, isLasting(workload))),
    ...(isLasting(workload) ? [stopsInTime(spec)] : []),
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => `${name}: ${fault}`);
}

function containerRules(
  { securityContext, resources, livenessProbe, readinessProbe }: Container,
  isServing: boolean,
): (readonly [boolean, string])[] {
  const hasDropped = securityContext?.capabilities?.drop?.join() === 'ALL';
  return [
    [securityContext?.allowPrivilegeEscalation === false, 'may gain rights'],
    [securityContext?.readOnlyRootFilesystem === true, 'may write to its root'],
    [hasDropped, 'keeps capabilities'],
    [resources?.limits?.['memory'] !== undefined, 'has no limit of memory'],
    [
      resources?.requests?.['cpu'] !== undefined && resources.requests['memory'] !== undefined,
      'requests nothing',
    ],
    [!isServing || livenessProbe !== undefined, 'is not asked whether it lives'],
    [!isServing || readinessProbe !== undefined, 'is not asked whether it is ready'],
  ];
}

/** The grace period of a pod includes its `preStop` sleep; then the pod is killed. */
function stopsInTime({
  terminationGracePeriodSeconds = 30,
  containers,
}: PodSpec): readonly [boolean, string] {
  const needed = containers.map(({ env = [], lifecycle }) => {
    const own = Number(env.find(({ name }) => name === 'SHUTDOWN_GRACE_SECONDS')?.value ?? 20);
    return own + (lifecycle?.preStop?.sleep?.seconds ?? 0);
  });
  return [Math.max(...needed) + 5 <= terminationGracePeriodSeconds, 'is killed before it has stopped'];
}

function scalingFaults(manifests: readonly Manifest[], workloads: readonly Workload[]): string[] {
  const lasting = workloads.filter(isLasting);
  const scaled = manifests.filter(isScaler).map(({ spec }) => spec.scaleTargetRef.name);
  const named = (name: string): Workload | undefined =>
    lasting.find(({ metadata }) => metadata.name === name);
  const budgets = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget') as Selecting[];
  const selecting = manifests.filter(({ kind }) =>
    ['PodDisruptionBudget', 'Deployment'].includes(kind),
  ) as Selecting[];
  return [
    ...scaled
      .filter((name) => named(name) === undefined)
      .map((name) => `a scaler: there is no Deployment ${name}`),
    ...scaled
      .filter((name) => named(name)?.spec.replicas !== undefined)
      .map((name) => `Deployment ${name}: its replicas undo those of its scaler at every apply`),
    ...lasting
      .filter((workload) => !budgets.some((budget) => isSelected(budget, workload)))
      .map(({ metadata }) => `Deployment ${metadata.name}: all of it may be evicted at once`),
    ...selecting
      .filter((manifest) => !workloads.some((workload) => isSelected(manifest, workload)))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}: selects no pod`),
  ];
}

function isSelected({ spec }: Selecting, workload: Workload): boolean {
  const wanted = Object.entries(spec.selector?.matchLabels ?? {});
  const { labels } = workload.spec.template.metadata;
  return wanted.length > 0 && wanted.every(([label, value]) => labels[label] === value);
}
