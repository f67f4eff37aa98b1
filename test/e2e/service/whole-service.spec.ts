import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort } from '../../support/services/reserve-port.js';
import { Client } from 'pg';
import { programFile } from '../../../scripts/build/programs.ts';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment, type QueueBackend } from '../../support/services/deployment.js';
import { describeWithRedis } from '../../support/services/test-redis.js';
import { waitFor } from '../../support/services/wait-for.js';

const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };
const CLIENTS = 12;

describe('API and worker in one process, with the queue in PostgreSQL', () => {
  const service = open('postgres');
  oneHealth(service);
  lossless(service);
  recoverable(service);
});
describeWithRedis('API and worker in one process, with the queue in Redis', () => {
  lossless(open('redis'));
});

/** The shared fixtures of one backend; they exist while its tests run. */
interface Opened {
  deployment: Deployment;
  database: Client;
}

function open(backend: QueueBackend): Opened {
  const opened = {} as Opened;
  beforeAll(async () => {
    opened.deployment = await Deployment.open(backend, { LOG_LEVEL: 'info' });
    opened.database = new Client({ connectionString: opened.deployment.databaseUrl });
    await opened.database.connect();
    await opened.database.query(`UPDATE llm SET model = 'sim-script'`);
  });
  afterAll(async () => {
    await opened.database.end();
    await opened.deployment.close();
  });
  return opened;
}

function oneHealth(opened: Opened): void {
  it('has one health and one page of metrics for both, and logs that say which of them wrote', async () => {
    const metricsPort = await reservePort();
    const { url, process } = await opened.deployment.startWhole({ METRICS_PORT: String(metricsPort) });
    const api = new ApiClient(url);
    const { id } = await api.submit({ input: scripted({ text: 'well' }) });
    await api.settled(id);

    expect(await api.get('/healthz')).toEqual({ status: 'ok' });
    expect(await api.get('/readyz')).toEqual({ status: 'ok' });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^capstan_claims_total\{outcome="(?:claimed|assigned)"\} [1-9]/m);
    expect(metrics).toMatch(/^capstan_http_request_duration_seconds_count\{.*execute.*\} 1$/m);
    expect(metrics).toMatch(/^process_resident_memory_bytes \d/m);

    expect(await process.stop()).toBe(0);
    const lines = process.log.split('\n').filter((line) => line.startsWith('{'));
    const writers = lines.map((line) => (JSON.parse(line) as { name: string }).name);
    expect(new Set(writers)).toEqual(new Set(['api', 'worker']));
  });
}

function lossless(opened: Opened): void {
  it('loses nothing that it accepted when it is asked to stop under load, does nothing twice, and answers until it is gone', async () => {
    const first = await opened.deployment.startWhole({ SHUTDOWN_GRACE_SECONDS: '10' });
    const accepted = new Map<string, string>();
    const refusals: string[] = [];
    let hasEnded = false;
    // Each client goes on until it gets no answer; a request without one was never accepted.
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = 0; !hasEnded; turn += 1) {
        const name = `${client}-${turn}`;
        const response = await submit(first.url, name).catch(() => null);
        if (response === null) return;
        const answer = await response.text();
        if (!response.ok) refusals.push(`${response.status} ${answer}`);
        else accepted.set((JSON.parse(answer) as { execution_id: string }).execution_id, name);
      }
    });
    await waitFor(() => accepted.size >= 2 * CLIENTS, { description: 'some load' });
    const exit = await first.process.stop();
    hasEnded = true;
    await Promise.all(clients);

    expect(exit).toBe(0);
    expect(refusals).toEqual([]);
    const second = await opened.deployment.startWhole();
    const api = new ApiClient(second.url);
    for (const [id, name] of accepted) {
      expect(await api.settled(id)).toMatchObject({
        status: 'completed',
        result: { message: { content: `done ${name}` } },
      });
    }
    const { rows } = await opened.database.query(
      `SELECT execution_id FROM chat_message WHERE execution_id = ANY ($1) AND role = 'assistant'
          GROUP BY execution_id HAVING count(*) <> 1`,
      [[...accepted.keys()]],
    );
    expect(rows).toEqual([]);
    await second.process.stop();
  });

  function submit(url: string, name: string): Promise<Response> {
    const input = scripted({ calls: [SEARCH] }, { latency: { headers_ms: 50 }, text: `done ${name}` });
    return new ApiClient(url).post('/api/agents/1/execute/', { input }, { prefer: 'wait=20' });
  }
}

function recoverable(opened: Opened): void {
  it('is killed in the middle of an execution, which others take over: an API and a worker, each by its role', async () => {
    const { deployment } = opened;
    const victim = await deployment.startWhole();
    const hangsOnce = { on: { first: 1 }, fault: { kind: 'hang_before_headers' } };
    const answer = { faults: [hangsOnce], text: 'here you are' };
    const before = await modelCalls();
    const { id } = await new ApiClient(victim.url).submit({
      input: scripted({ calls: [SEARCH] }, answer),
    });
    await waitFor(async () => (await modelCalls()) === before + 2, { description: 'the second call' });
    await victim.process.kill();

    const program = programFile('service');
    const [{ url }, worker] = await Promise.all([
      deployment.startApi({ ROLE: 'api' }, program),
      deployment.startWorker({ ROLE: 'worker' }, program),
    ]);
    const api = new ApiClient(url);
    expect(await api.settled(id)).toMatchObject({
      status: 'completed',
      attempt: 2,
      result: { message: { content: 'here you are' } },
    });
    const steps = await api.get<{ data: object[] }>(`/api/executions/${id}/steps/`);
    expect(steps.data).toMatchObject([{ status: 'succeeded', attempt: 1 }]);
    expect(await worker.stop()).toBe(0);
  });

  /** The number of calls that have reached the model. */
  async function modelCalls(): Promise<number> {
    const response = await fetch(`${opened.deployment.simulatorUrl}/__control/requests`);
    return ((await response.json()) as { requests: object[] }).requests.length;
  }
}
