import { describe, expect, it } from '@jest/globals';
import { documentFaults } from './document-faults.ts';
import type { Manifest } from './manifest-faults.ts';
import type { Workload } from './workload.ts';

const CLAIM = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'capstan-documents' } };
const SHARED = { ...CLAIM, spec: { accessModes: ['ReadWriteMany'] } };
const IN_CLAIM = { DOCUMENTS_ROOT: '/documents' };
const IN_BUCKET = { S3_BUCKET: 'documents' };

interface Forged {
  readonly memory?: string;
  readonly room?: string;
  /** Volume mounted at /documents. */
  readonly volume?: object;
}

function deployment(name: string, env: Readonly<Record<string, string>>, forged: Forged = {}): Workload {
  const { memory = '2432Mi', room = '1Gi' } = forged;
  const { volume = { persistentVolumeClaim: { claimName: 'capstan-documents' } } } = forged;
  const container = {
    name,
    env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
    resources: { limits: { memory } },
    volumeMounts: [{ name: 'documents', mountPath: '/documents' }],
  };
  const volumes = [
    { name: 'tmp', emptyDir: { sizeLimit: room } },
    { name: 'documents', ...volume },
  ];
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name } },
    spec: { template: { metadata: { labels: {} }, spec: { containers: [container], volumes } } },
  };
}

const api = (env: Readonly<Record<string, string>>, forged?: Forged) =>
  deployment('api', { PORT: '3000', ...env }, forged);
const ingest = (env: Readonly<Record<string, string>>, forged?: Forged) =>
  deployment('ingest', { WORKER_ROLES: 'ingest', ...env }, forged);

describe('pods that take documents in', () => {
  const LOST = 'keeps documents where other pods do not find them';
  const APART = 'documents: not every process is given the same place';

  it.each<[string, Workload[], Manifest[], string[]]>([
    ['no documents', [api({}), deployment('worker', {})], [], []],
    ['a claim that many write to', [api(IN_CLAIM), ingest(IN_CLAIM)], [SHARED], []],
    ['a bucket', [api(IN_BUCKET), ingest(IN_BUCKET)], [], []],
    [
      'a claim that one writes to',
      [api(IN_CLAIM), ingest(IN_CLAIM)],
      [{ ...CLAIM, spec: { accessModes: ['ReadWriteOnce'] } }],
      [`Deployment api: ${LOST}`, `Deployment ingest: ${LOST}`],
    ],
    [
      'a folder of its own',
      [api(IN_CLAIM, { volume: { emptyDir: {} } }), ingest(IN_CLAIM)],
      [SHARED],
      [`Deployment api: ${LOST}`],
    ],
    [
      'a folder that nothing is behind',
      [api({ DOCUMENTS_ROOT: '/tmp/documents' }), ingest(IN_CLAIM)],
      [SHARED],
      [APART, `Deployment api: ${LOST}`],
    ],
    ['a place for some', [api(IN_BUCKET), ingest(IN_BUCKET), deployment('courier', {})], [], [APART]],
    [
      'too little memory',
      [api(IN_BUCKET), ingest({ ...IN_BUCKET, INGEST_CONCURRENCY: '3' })],
      [],
      ['Deployment ingest: is killed over documents that it may read'],
    ],
    [
      'too little room',
      [api(IN_BUCKET, { room: '256Mi' }), ingest(IN_BUCKET, { room: '256Mi' })],
      [],
      ['Deployment api: is evicted over files on their way'],
    ],
  ])('with %s', (_what, workloads, claims, expected) => {
    expect(documentFaults([...workloads, ...claims], workloads)).toEqual(expected);
  });
});
