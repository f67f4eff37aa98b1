import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { programFile } from '../../../scripts/build/programs.ts';
import { manifestFaults, readManifests, type Manifest } from '../../../scripts/kubernetes/manifest-faults.ts';
import { policyFaults } from '../../../scripts/kubernetes/policy-faults.ts';
import type { Workload } from '../../../scripts/kubernetes/workload.ts';
import { ROOT } from '../repository-files.js';

const text = readFileSync(join(ROOT, 'k8s/base/capstan.yaml'), 'utf8');
const documentsText = readFileSync(join(ROOT, 'k8s/components/documents/documents.yaml'), 'utf8');
const manifests = [...readManifests(text), ...readManifests(documentsText)];
const workloads = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)) as Workload[];
const containers = workloads.flatMap(({ spec }) => spec.template.spec.containers);

const monitorText = readFileSync(join(ROOT, 'k8s/components/pod-monitor/pod-monitor.yaml'), 'utf8');

interface Port {
  readonly name: string;
  readonly containerPort: number;
}
interface Monitor {
  readonly spec: {
    readonly selector: {
      readonly matchLabels: Readonly<Record<string, string>>;
      readonly matchExpressions: readonly { readonly values: readonly string[] }[];
    };
    readonly podMetricsEndpoints: readonly { readonly port: string; readonly path: string }[];
  };
}

/** The manifests with one change to a copy of the named one. */
function changed(kind: string, name: string, change: (copy: never) => void): Manifest[] {
  const copies = structuredClone(manifests);
  const found = copies.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  change(found as never);
  return copies;
}

const yamlOf = (...some: readonly object[]): string => some.map((one) => JSON.stringify(one)).join('\n---\n');

describe('the manifests of Kubernetes', () => {
  it('start the API, workers with every role between them, and the migration', () => {
    const commands = containers.map(({ command }) => command?.at(-1) ?? '');
    const programs: readonly string[] = (['api', 'worker', 'migrate'] as const).map(programFile);
    expect(commands.filter((command) => !programs.includes(command))).toEqual([]);
    const roles = containers.flatMap(({ env = [] }) =>
      env.filter(({ name }) => name === 'WORKER_ROLES').flatMap(({ value = '' }) => value.split(',')),
    );
    expect(roles.toSorted()).toEqual(['execute', 'housekeeping', 'ingest', 'webhooks']);
  });

  it('set only variables that .env.example explains', () => {
    const known = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const names = new Set(containers.flatMap(({ env = [] }) => env.map(({ name }) => name)));
    expect(names.size).toBeGreaterThan(8);
    expect([...names].filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(known))).toEqual([]);
  });

  it('hold no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secrets = containers.flatMap(({ env = [] }) => env).filter(({ name }) => /KEY|_URL$/.test(name));
    expect(secrets.length).toBeGreaterThan(3);
    expect(secrets.filter(({ value }) => value !== undefined)).toEqual([]);
  });

  it('show metrics where the annotations say, and let those in who read them', () => {
    const lasting = workloads.filter(({ kind }) => kind === 'Deployment');
    const readAt = lasting.map(({ spec }) => {
      const { annotations = {} } = spec.template.metadata;
      return Number(annotations['prometheus.io/scrape'] === 'true' ? annotations['prometheus.io/port'] : NaN);
    });
    const shownAt = lasting.map(({ spec }) => {
      const env = new Map(
        (spec.template.spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]),
      );
      return Number(env.get('METRICS_PORT') ?? env.get('WORKER_PORT'));
    });
    expect(readAt).toEqual(shownAt);
    const policy = manifests.find(({ metadata }) => metadata.name === 'capstan-metrics') as unknown as {
      spec: { ingress: { ports: { port: number }[]; from: object[] }[] };
    };
    expect(policy.spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(
      expect.arrayContaining(shownAt),
    );
    expect(policy.spec.ingress.every(({ from }) => from.length > 0)).toBe(true);
  });

  it('are read by the operator of Prometheus where they show metrics, each once', () => {
    const monitors = readManifests(monitorText) as unknown as readonly Monitor[];
    const read = monitors.flatMap(({ spec }) => {
      const [expression] = spec.selector.matchExpressions;
      return (expression?.values ?? []).flatMap((component) =>
        spec.podMetricsEndpoints.map(({ port, path }) => `${component} ${port} ${path}`),
      );
    });
    const shown = workloads
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => {
        const { annotations = {}, labels } = spec.template.metadata;
        const ports = (spec.template.spec.containers[0] as unknown as { ports: Port[] }).ports;
        const port = ports.find(
          ({ containerPort }) => String(containerPort) === annotations['prometheus.io/port'],
        );
        for (const { spec: of } of monitors) expect(labels).toMatchObject(of.selector.matchLabels);
        return `${labels['app.kubernetes.io/component']} ${port?.name} ${annotations['prometheus.io/path']}`;
      });
    expect(read.toSorted()).toEqual(shown.toSorted());
  });

  it('have limits, probes, time to stop and no rights they do not need', () => {
    expect(policyFaults(readManifests(text))).toEqual([]);
  });

  it.each<[string, Manifest[], string]>([
    [
      'root',
      changed('Deployment', 'capstan-api', (api: Workload) => {
        Object.assign(api.spec.template.spec, {
          securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
        });
      }),
      'Deployment capstan-api: may run as root',
    ],
    [
      'a process that cannot end itself',
      changed('Deployment', 'capstan-worker', (worker: Workload) => {
        Object.assign(worker.spec.template.spec, { shareProcessNamespace: false });
      }),
      'Deployment capstan-worker: is the first process, which no signal of its own ends',
    ],
    [
      'no limit',
      changed('Deployment', 'capstan-worker', (worker: Workload) => {
        Object.assign(worker.spec.template.spec.containers[0] ?? {}, { resources: {} });
      }),
      'Deployment capstan-worker: has no limit of memory',
    ],
    [
      'a short grace',
      changed('Deployment', 'capstan-api', (api: Workload) => {
        Object.assign(api.spec.template.spec, { terminationGracePeriodSeconds: 45 });
      }),
      'Deployment capstan-api: is killed before it has stopped',
    ],
    [
      'replicas beside a scaler',
      changed('Deployment', 'capstan-worker', (worker: Workload) =>
        Object.assign(worker.spec, { replicas: 2 }),
      ),
      'Deployment capstan-worker: its replicas undo those of its scaler at every apply',
    ],
    [
      'a scaler of nothing',
      changed('ScaledObject', 'capstan-worker', (scaler: { spec: object }) =>
        Object.assign(scaler.spec, { scaleTargetRef: { name: 'worker' } }),
      ),
      'a scaler: there is no Deployment worker',
    ],
    [
      'no budget',
      manifests.filter(
        ({ kind, metadata }) => kind !== 'PodDisruptionBudget' || metadata.name !== 'capstan-api',
      ),
      'Deployment capstan-api: all of it may be evicted at once',
    ],
  ])('would not pass with %s', (_name, forged, fault) => {
    expect(policyFaults(forged)).toContain(fault);
  });
});

describe('objects that Kubernetes and KEDA accept', () => {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'x' } };
  const scaled = { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'x' } };

  it('is all of the base', async () => {
    const count = manifests.length;
    expect(await manifestFaults(ROOT, `${text}\n---\n${documentsText}`)).toEqual({ count, faults: [] });
    expect(await manifestFaults(ROOT, monitorText)).toEqual({ count: 2, faults: [] });
  });

  it('is no unknown field, no wrong value and no unknown kind', async () => {
    const forged = yamlOf(
      { ...account, automountToken: false },
      { ...account, automountServiceAccountToken: 'no' },
      { ...scaled, spec: { scaleTargetRef: { name: 'x' }, minReplicas: 1, triggers: [] } },
    );
    const { faults } = await manifestFaults(ROOT, forged);
    expect(faults.join('\n')).toMatch(/automountToken/);
    expect(faults.join('\n')).toMatch(/automountServiceAccountToken.*boolean/);
    expect(faults.join('\n')).toMatch(/minReplicas/);
    const unknown = await manifestFaults(ROOT, yamlOf({ ...account, kind: 'ServiceAcount' }));
    expect(unknown.faults.length).toBeGreaterThan(0);
  });
});
