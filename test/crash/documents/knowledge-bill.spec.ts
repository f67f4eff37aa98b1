import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, describe } from '@jest/globals';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';
import { findBillFaults, type ServedCall, type UsageRow } from './bill/find-bill-faults.js';

const QUICK = {
  LOG_LEVEL: 'error',
  LEASE_SECONDS: '3',
  DISPATCH_INTERVAL_MS: '100',
  DISPATCH_AGAIN_SECONDS: '1',
};
const EXECUTOR = { user_id: 'mara', name: 'Mara', email: 'mara@example.com' };
/** A word in every question, by which the simulator selects the script for the question and the prompts about it. */
const MARK = 'zircon';
/** The answer to an execution, a summary and a memory extraction. */
const ANSWER = JSON.stringify({ remember: [], update: [], forget: [] });
const DOCUMENTS = 4;
const TURNS = 5;
/** The number of embedding calls for each document. */
const CALLS = 2;

describe('model calls beside and before executions, with the queue in PostgreSQL (I28)', () => {
  isPaidFor('postgres');
});
describeWithRedis('model calls beside and before executions, with the queue in Redis (I28)', () => {
  isPaidFor('redis');
});

/** Sections with different texts, enough for `CALLS` embedding calls of 64 sections each. */
const sections = (mark: string): string =>
  Array.from({ length: 64 * CALLS }, (_none, at) => `# ${mark} ${at}\n\nAbout ${mark}, number ${at}.\n`).join(
    '\n',
  );

function isPaidFor(backend: QueueBackend): void {
  let folder: string;
  let deployment: Deployment;
  let database: Client;
  let api: ApiClient;
  let worker: ServiceProcess;
  let datasource: number;
  let agent: number;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'documents-'));
    deployment = await Deployment.open(backend, { ...QUICK, DOCUMENTS_ROOT: folder });
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    api = new ApiClient((await deployment.startApi()).url);
    worker = await deployment.startWorker();
    await control('/scripts', { contains: MARK, answers: [{ text: ANSWER }], then: 'repeat_last' });
    const llm = await make<number>('/api/llms/', { name: 'script', model: 'sim-script' });
    const fields = { name: 'docs', llm_id: llm, embed_model: 'sim-words', dimensions: 64, chunk_tokens: 64 };
    datasource = await make('/api/datasources/', { ...fields, overlap_tokens: 0 });
    agent = await make('/api/agents/', {
      ...{ name: 'Librarian', usecase_type: 'RAG_CHAT', llm },
      config: { datasource_ids: [datasource], memory: { enabled: true }, history_tokens: 200, top_k: 2 },
    });
  });
  afterAll(async () => {
    await database.end();
    await deployment.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function make<Id>(path: string, body: object): Promise<Id> {
    const answer = await api.post(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { id: Id }).id;
  }

  const give = (mark: string): Promise<string> =>
    make('/api/documents/', {
      ...{ datasource_id: datasource, title: mark, text: sections(mark), media_type: 'text/markdown' },
    });

  async function control(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${deployment.simulatorUrl}/__control${path}`, request);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  async function served(): Promise<readonly ServedCall[]> {
    const answer = await fetch(`${deployment.simulatorUrl}/__control/requests`);
    return ((await answer.json()) as { requests: readonly ServedCall[] }).requests;
  }

  async function rowsOf(): Promise<readonly UsageRow[]> {
    const { rows } = await database.query<UsageRow>(
      `SELECT purpose, state, total_tokens::int FROM usage_log WHERE tenant_id = 'default'`,
    );
    return rows;
  }

  async function converse(name: string): Promise<void> {
    let session: string | undefined;
    for (let turn = 0; turn < TURNS; turn += 1) {
      const input = `${MARK} ${name} ${turn}: ${'what do the documents say? '.repeat(12)}`;
      const body = { input, executor: EXECUTOR, ...(session !== undefined && { session_uuid: session }) };
      const accepted = await api.post(`/api/agents/${agent}/execute/`, body);
      const { id, session_uuid } = (await accepted.json()) as { id: string; session_uuid: string };
      session = session_uuid;
      expect(await api.settled(id, 120_000)).toMatchObject({ status: 'completed', error: null });
    }
  }

  /** True when no ingestion, extraction, summary or execution is open. */
  async function isQuiet(): Promise<boolean> {
    const { rows } = await database.query<{ open: number }>(
      `SELECT (SELECT count(*) FROM document_ingestion WHERE finished_at IS NULL)
            + (SELECT count(*) FROM memory_extraction WHERE ended_at IS NULL)
            + (SELECT count(*) FROM session_summary_order)
            + (SELECT count(*) FROM execution WHERE finished_at IS NULL) AS open`,
    );
    return Number(rows[0]?.open) === 0;
  }

  /** Kills and replaces the worker at each of these counts of received calls. */
  async function killAt(...counts: readonly number[]): Promise<void> {
    for (const count of counts) {
      await waitFor(async () => (await served()).length >= count, {
        ...{ description: `${count} calls`, timeoutMs: 120_000, intervalMs: 5 },
      });
      await worker.kill();
      worker = await deployment.startWorker();
    }
  }

  it('are billed to the token, across kills and removals', async () => {
    const removed = await give('removed');
    const on = { endpoint: 'embeddings', contains: 'About removed' };
    await control('/faults', { faults: [{ on, fault: { kind: 'hang_before_headers', ms: 1_500 } }] });
    await give('kept 0');
    const killing = killAt(3, 9, 18, 27);
    await waitFor(async () => (await served()).length > 0, { description: 'the first call' });
    expect((await fetch(`${api.url}/api/documents/${removed}/`, { method: 'DELETE' })).status).toBe(204);
    for (let number = 1; number < DOCUMENTS; number += 1) await give(`kept ${number}`);
    await Promise.all([converse('one'), converse('two')]);
    await killing;
    await waitFor(isQuiet, { description: 'everything to end', timeoutMs: 120_000 });

    const [calls, rows] = [await served(), await rowsOf()];
    expect(findBillFaults(calls, rows)).toEqual([]);
    expect(new Set(rows.map(({ purpose }) => purpose))).toEqual(
      new Set(['embedding', 'round', 'memory', 'summary']),
    );
    // Embedding calls of the documents and of each question.
    expect(rows.filter(({ purpose }) => purpose === 'embedding').length).toBeGreaterThanOrEqual(
      DOCUMENTS * CALLS + 2 * TURNS,
    );
    expect(await sums()).toEqual({
      calls: rows.length,
      unknown_calls: rows.filter(({ total_tokens }) => total_tokens === null).length,
      total_tokens: rows.reduce((sum, { total_tokens }) => sum + (total_tokens ?? 0), 0),
    });
  }, 300_000);

  /** The sums as the API shows them to the tenant. */
  async function sums(): Promise<object> {
    const { data } = await api.get<{ data: Readonly<Record<string, number>>[] }>(
      '/api/usage/?group_by=model&limit=100',
    );
    const sum = (name: string): number => data.reduce((total, group) => total + Number(group[name]), 0);
    return {
      ...{ calls: sum('calls'), unknown_calls: sum('unknown_calls'), total_tokens: sum('total_tokens') },
    };
  }
}
