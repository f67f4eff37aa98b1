import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

describe('documents that are given over HTTP, with the queue in PostgreSQL', () => {
  areTakenIn('postgres');
});
describeWithRedis('documents that are given over HTTP, with the queue in Redis', () => {
  areTakenIn('redis');
});

interface Document {
  readonly id: string;
  readonly state: string;
  readonly kind: string | null;
  readonly error_code: string | null;
  readonly progress: object;
  readonly live_generation: number | null;
}

function areTakenIn(backend: QueueBackend): void {
  let folder: string;
  let deployment: Deployment;
  let api: ApiClient;
  let datasource: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    const settings = { DOCUMENTS_ROOT: folder, WORKER_ROLES: 'execute,housekeeping,ingest' };
    deployment = await Deployment.open(backend, settings);
    api = new ApiClient((await deployment.startApi()).url);
    await deployment.startWorker();
    const fields = { name: 'handbook', llm_id: 1, embed_model: 'sim-embedding', dimensions: 8 };
    datasource = await make('/api/datasources/', JSON.stringify(fields));
  });
  afterAll(async () => {
    await deployment.close();
    await rm(folder, { recursive: true });
  });

  /** Creates a resource; returns its id. */
  async function make<Id>(path: string, body: string | FormData): Promise<Id> {
    const headers: Record<string, string> =
      typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${api.url}${path}`, { method: 'POST', body, headers });
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${path} answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { id: Id }).id;
  }

  const read = (id: string): Promise<Document> => api.get(`/api/documents/${id}/`);
  const ended = (id: string): Promise<Document> =>
    waitFor(
      async () => {
        const document = await read(id);
        return ['ready', 'failed'].includes(document.state) ? document : null;
      },
      { description: `the document ${id}` },
    );
  const upload = (bytes: string | Buffer<ArrayBuffer>, name: string): Promise<string> => {
    const form = new FormData();
    form.append('datasource_id', String(datasource));
    form.append('file', new Blob([bytes]), name);
    return make('/api/documents/', form);
  };

  it('are read, become chunks with vectors, are found, and go with their files when they are deleted', async () => {
    const file = await upload('# Parcels\n\nParcels go out at noon.\n', 'parcels.md');
    const text = await make<string>(
      '/api/documents/',
      JSON.stringify({ datasource_id: datasource, text: 'Boxes are blue.' }),
    );
    const progress = { done: 1, total: 1 };
    expect(await ended(file)).toMatchObject({
      state: 'ready',
      kind: 'markdown',
      progress,
      live_generation: 1,
    });
    expect(await ended(text)).toMatchObject({ state: 'ready', kind: 'text', progress, live_generation: 1 });
    const files = async () => (await readdir(join(folder, 'default'))).length;
    expect(await files()).toBe(2);

    const content = `/api/documents/${file}/content/`;
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ text: 'Parcels go out at one.' });
    expect((await fetch(`${api.url}${content}`, { method: 'PUT', body, headers })).status).toBe(200);
    expect(await ended(file)).toMatchObject({ state: 'ready', generation: 2, live_generation: 2 });
    const chunks = await api.get<{ data: { text: string }[] }>(`/api/documents/${file}/chunks/`);
    expect(chunks.data.map(({ text }) => text)).toEqual(['Parcels go out at one.']);
    expect(await (await fetch(`${api.url}${content}`)).text()).toBe('Parcels go out at one.');

    const question = JSON.stringify({ question: 'When do parcels go out?', top_k: 1 });
    const search = `${api.url}/api/datasources/${datasource}/search/`;
    const found = await fetch(search, { method: 'POST', body: question, headers });
    expect(await found.json()).toMatchObject({
      hits: [{ document_id: file, text: 'Parcels go out at one.' }],
    });

    for (const id of [file, text]) {
      const { status } = await fetch(`${api.url}/api/documents/${id}/`, { method: 'DELETE' });
      expect(status).toBe(204);
    }
    await waitFor(async () => (await files()) === 0, {
      description: 'the files to be removed',
    });
  });

  it('give the reason when they are unreadable', async () => {
    const id = await upload(
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 1]),
      'a.pdf',
    );
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      error_code: 'DOCUMENT_TYPE_UNSUPPORTED',
      live_generation: null,
    });
  });
}
