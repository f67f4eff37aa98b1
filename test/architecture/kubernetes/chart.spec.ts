import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { manifestFaults, readManifests, type Manifest } from '../../../scripts/kubernetes/manifest-faults.ts';
import { policyFaults } from '../../../scripts/kubernetes/policy-faults.ts';
import { renderEverything } from '../../../scripts/kubernetes/render.ts';
import { ROOT } from '../repository-files.js';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Pods extends Manifest {
  readonly spec: {
    readonly template: {
      readonly metadata: { readonly annotations: object; readonly labels: object };
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: readonly [
          { readonly env: readonly Variable[]; readonly envFrom: object; readonly volumeMounts: object },
        ];
      };
    };
  };
}

const SECRETS = {
  DATABASE_URL: 'pg-app/uri',
  DATABASE_DIRECT_URL: 'pg-app/direct',
  REDIS_URL: 'redis/url',
  ENCRYPTION_KEY: 'keyring/ring',
  STDIO_SERVERS: 'tools/STDIO_SERVERS',
};
const OF_WORKERS = {
  OPENAI_API_KEY: 'providers/openai',
  OPENAI_COMPATIBLE_API_KEY: 'providers/compatible',
  ANTHROPIC_API_KEY: 'providers/anthropic',
  BEDROCK_KEY: 'providers/bedrock',
  S3_ACCESS_KEY_ID: 'bucket/id',
  S3_SECRET_ACCESS_KEY: 'bucket/secret',
};

let text: string;
let manifests: readonly Manifest[];

beforeAll(async () => {
  text = await renderEverything(ROOT);
  manifests = readManifests(text);
});

const podsOf = (component: string): Pods => {
  const found = manifests.find(
    ({ kind, metadata }) => ['Deployment', 'Job'].includes(kind) && metadata.name === `agents-${component}`,
  );
  if (found === undefined) throw new Error(`there are no pods of ${component}`);
  return found as Pods;
};
const variablesOf = (component: string): readonly Variable[] =>
  podsOf(component).spec.template.spec.containers[0].env;
const secretsOf = (component: string): object =>
  Object.fromEntries(
    variablesOf(component).flatMap(({ name, valueFrom }) =>
      valueFrom === undefined || valueFrom.secretKeyRef.name === 'capstan'
        ? []
        : [[name, `${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`]],
    ),
  );
const found = (kind: string): object | undefined => manifests.find((manifest) => manifest.kind === kind);

describe('the chart with every value set', () => {
  it('is accepted by Kubernetes, and faultless', async () => {
    expect(await manifestFaults(ROOT, text)).toEqual({ count: manifests.length, faults: [] });
    expect(policyFaults(manifests)).toEqual([]);
  });

  it('names its objects by fullnameOverride', () => {
    expect(manifests.filter(({ metadata }) => !/^agents(-|$)/.test(metadata.name))).toEqual([]);
  });

  it.each(['api', 'worker', 'courier', 'ingest', 'migrate'])('gives pods of %s what all get', (component) => {
    const { metadata, spec } = podsOf(component).spec.template;
    expect(metadata.annotations).toHaveProperty(['example.com/team']);
    expect(metadata.labels).toMatchObject({ 'example.com/cost': 'agents' });
    expect(spec).toMatchObject({
      serviceAccountName: component === 'migrate' ? 'default' : 'agents',
      imagePullSecrets: [{ name: 'registry' }],
      nodeSelector: { pool: 'agents' },
      tolerations: expect.arrayContaining([{ key: 'dedicated', operator: 'Exists' }]) as unknown,
      volumes: expect.arrayContaining([{ name: 'ca', secret: { secretName: 'pg-ca' } }]) as unknown,
    });
    expect(spec).toHaveProperty('affinity');
    const [{ envFrom, volumeMounts }] = spec.containers;
    expect(envFrom).toContainEqual({ configMapRef: { name: 'proxies' } });
    expect(volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/pg', readOnly: true });
  });

  it('gives pods of one component what it names for them, before what all get', () => {
    const { metadata, spec } = podsOf('worker').spec.template;
    expect(metadata).toMatchObject({
      annotations: { 'example.com/team': 'workers', 'prometheus.io/scrape': 'true' },
      labels: { 'example.com/part': 'worker' },
    });
    expect(spec).toMatchObject({
      nodeSelector: { pool: 'agents', disk: 'fast' },
      tolerations: [{ key: 'dedicated' }, { key: 'spot' }],
      affinity: { podAntiAffinity: {} },
      priorityClassName: 'important',
    });
    const [{ envFrom, volumeMounts }] = spec.containers;
    expect(envFrom).toContainEqual({ secretRef: { name: 'more' } });
    expect(volumeMounts).toContainEqual({ name: 'cache', mountPath: '/cache' });
    expect(podsOf('api').spec.template.spec).toMatchObject({
      affinity: { nodeAffinity: {} },
      priorityClassName: 'everyday',
    });
    expect(variablesOf('api')).toContainEqual({ name: 'EVENT_STREAMS_MAX', value: '100' });
    expect(variablesOf('worker')).toContainEqual({ name: 'HTTP_PROXY', value: 'http://proxy:3128' });
  });

  it('gives a container each variable once, the one of extraEnv before any other', () => {
    for (const component of ['api', 'worker', 'courier', 'ingest', 'migrate']) {
      const names = variablesOf(component).map(({ name }) => name);
      expect([component, names.length]).toEqual([component, new Set(names).size]);
      expect(variablesOf(component)).toContainEqual({ name: 'LOG_LEVEL', value: 'debug' });
    }
  });

  it('takes every secret from the Secret that is named for it, keys of providers in workers only', () => {
    const { S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = OF_WORKERS;
    expect(secretsOf('migrate')).toEqual(SECRETS);
    expect(secretsOf('api')).toEqual({ ...SECRETS, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY });
    expect(secretsOf('worker')).toEqual({ ...SECRETS, ...OF_WORKERS });
    expect(found('TriggerAuthentication')).toMatchObject({
      spec: { secretTargetRef: [{ name: 'pg-app', key: 'uri' }] },
    });
    const known = readFileSync(join(ROOT, '.env.example'), 'utf8');
    const secrets = [
      ...known.matchAll(/^# (\w*(?:(?:API|ACCESS|ENCRYPTION)_KEY|KEY_ID|DATABASE\w*_URL|REDIS_URL))=/gm),
    ];
    expect(Object.keys({ ...SECRETS, ...OF_WORKERS })).toEqual(
      expect.arrayContaining(secrets.map(([, name]) => name)),
    );
  });

  it('has an ingress, a service and an account as they are asked for', () => {
    expect(found('Ingress')).toMatchObject({
      metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off' } },
      spec: {
        ingressClassName: 'nginx',
        rules: [
          {
            host: 'agents.example.com',
            http: {
              paths: [{ path: '/', backend: { service: { name: 'agents-api', port: { name: 'http' } } } }],
            },
          },
        ],
        tls: [{ secretName: 'agents-tls', hosts: ['agents.example.com'] }],
      },
    });
    expect(found('Service')).toMatchObject({
      metadata: { annotations: { 'example.com/internal': 'true' } },
      spec: { type: 'LoadBalancer', ports: [{ port: 8080 }] },
    });
    expect(found('ServiceAccount')).toHaveProperty(['metadata', 'annotations', 'eks.amazonaws.com/role-arn']);
  });
});
