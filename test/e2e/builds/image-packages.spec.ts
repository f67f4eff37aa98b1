import { execFile } from 'node:child_process';
import { copyFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROGRAM_FOLDERS, programFile } from '../../../scripts/build/programs.ts';
import { aFontPdf } from '../../support/builders/font-pdf.js';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const JSON_TYPE = { 'content-type': 'application/json' };
/** A PDF of 日本語 in codes of a predefined character map, which the file names but does not hold. */
const JAPANESE = aFontPdf([['<93fa967b8cea>']], { encoding: '90ms-RKSJ-H', ordering: 'Japan1' });

interface Document {
  readonly state: string;
  readonly error_text: string | null;
}

describe('API and worker with the packages of the image alone', () => {
  let folder: string;
  let deployment: Deployment;
  let api: ApiClient;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'capstan-image-'));
    const writeRuntime = join(ROOT, 'scripts', 'build', 'write-runtime.ts');
    await promisify(execFile)(process.execPath, [writeRuntime, folder]);
    await copyFile(join(ROOT, 'package.json'), join(folder, 'package.json'));
    for (const part of [PROGRAM_FOLDERS.service, 'dist/site'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    const settings = {
      DOCUMENTS_ROOT: join(folder, 'documents'),
      WORKER_ROLES: 'execute,housekeeping,ingest',
    };
    deployment = await Deployment.open('postgres', settings);
    api = new ApiClient((await deployment.startApi({}, join(folder, programFile('api')))).url);
    await deployment.startWorker({}, join(folder, programFile('worker')));
  });
  afterAll(async () => {
    await deployment.close();
    await rm(folder, { recursive: true });
  });

  const post = async <Answer>(path: string, body: string | FormData): Promise<Answer> => {
    const headers = typeof body === 'string' ? JSON_TYPE : {};
    const answer = await fetch(`${api.url}${path}`, { method: 'POST', body, headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Answer;
  };

  it('show the OpenAPI document and the API reference', async () => {
    const answers = await Promise.all(
      ['/openapi.json', '/docs/api/'].map((path) => fetch(`${api.url}${path}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('read a Japanese PDF, count its tokens, and run an agent', async () => {
    const fields = { name: 'handbook', llm_id: 1, embed_model: 'sim-embedding', dimensions: 8 };
    const { id: datasource } = await post<{ id: number }>('/api/datasources/', JSON.stringify(fields));
    const form = new FormData();
    form.append('datasource_id', String(datasource));
    form.append('file', new Blob([new Uint8Array(JAPANESE)]), 'a.pdf');
    const { id } = await post<{ id: string }>('/api/documents/', form);
    const document = await waitFor(
      async () => {
        const now = await api.get<Document>(`/api/documents/${id}/`);
        return ['ready', 'failed'].includes(now.state) ? now : null;
      },
      { description: 'the document to be read' },
    );
    expect(document).toMatchObject({ state: 'ready', error_text: null });
    const chunks = await api.get<{ data: { text: string }[] }>(`/api/documents/${id}/chunks/`);
    expect(chunks.data.map(({ text }) => text)).toEqual(['日本語']);

    const agents = await api.get<{ id: number; name: string }[]>('/api/agents/');
    const sales = agents.find(({ name }) => name === 'salesAgent');
    const input = JSON.stringify({ input: '5 cases of roma tomatoes for Friday, please' });
    const accepted = await post<{ id: string }>(`/api/agents/${sales?.id}/execute/`, input);
    expect(await api.settled(accepted.id)).toMatchObject({ status: 'completed' });
  });

  it('stand beside the licences of all that they hold', async () => {
    const licences = await readFile(join(folder, 'licences.txt'), 'utf8');
    for (const name of ['pg', '@nestjs/core', 'bullmq', 'unpdf']) expect(licences).toContain(`==== ${name}@`);
  });
});
