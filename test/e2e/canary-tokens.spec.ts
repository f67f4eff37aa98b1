import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import { ApiClient, scripted } from '../support/services/api-client.js';
import { Deployment } from '../support/services/deployment.js';
import { dumpDatabase, dumpRedis } from '../support/services/everything-stored.js';
import { createTestRedis } from '../support/services/redis-database.js';
import type { ServiceProcess } from '../support/services/service-process.js';
import { waitFor } from '../support/services/wait-for.js';
import { WebhookReceiver } from '../support/services/webhook-receiver.js';

/** It stands in every token of this file, and must stand nowhere else. */
const CANARY = 'canary9f27c1e4';
const TOKENS = { crm: `Bearer ${CANARY}`, mail: CANARY };
const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };

/** With the queue in Redis where there is one: what may leak into either of them is looked at in both. */
describe('a secret that a request brings along', () => {
  const redis = createTestRedis();
  let deployment: Deployment;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let database: Client;
  const processes: ServiceProcess[] = [];
  /** What clients have read. */
  const seen: string[] = [];

  beforeAll(async () => {
    const settings = { LOG_LEVEL: 'trace', ...(redis && { REDIS_URL: redis.url }) };
    deployment = await Deployment.open('postgres', settings);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    receiver = await WebhookReceiver.listen();
    const started = await deployment.startApi();
    processes.push(started.process);
    api = new ApiClient(started.url);
  }, 60_000);
  afterAll(async () => {
    await database.end();
    await receiver.close();
    await deployment.close();
  });

  async function startWorker(): Promise<ServiceProcess> {
    const worker = await deployment.startWorker();
    processes.push(worker);
    return worker;
  }

  async function submit(input: string, tokens: Record<string, string> = TOKENS): Promise<string> {
    const events = ['execution.completed', 'execution.failed', 'execution.requires_action'];
    const view = await api.submit({ input, tokens, webhook: { url: receiver.url, events } });
    seen.push(JSON.stringify(view));
    return view.id;
  }

  async function readAll(id: string): Promise<ExecutionView> {
    const view = await api.settled(id);
    const steps = await api.get<unknown>(`/api/executions/${id}/steps/`);
    const messages = await api.get<unknown>(`/api/sessions/${view.session_uuid}/messages/`);
    seen.push(JSON.stringify([view, steps, messages, await api.events(id)]));
    return view;
  }

  const untilIn = (id: string, status: ExecutionView['status']): Promise<unknown> =>
    waitFor(async () => (await api.get<ExecutionView>(`/api/executions/${id}/`)).status === status, {
      description: `${id} to be ${status}`,
      timeoutMs: 20_000,
    });

  async function everywhere(): Promise<Record<string, string>> {
    return {
      answers: seen.join('\n'),
      webhooks: JSON.stringify(receiver.received),
      logs: processes.map(({ log }) => log).join('\n'),
      database: await dumpDatabase(deployment.databaseUrl),
      redis: redis === null ? '' : await dumpRedis(redis.url),
      model: await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text(),
    };
  }

  async function expectNowhere(): Promise<void> {
    const places = await everywhere();
    expect(Object.keys(places).filter((place) => places[place]?.includes(CANARY))).toEqual([]);
  }

  const keptTokens = async (): Promise<string[]> => {
    const { rows } = await database.query<{ id: string }>(
      'SELECT DISTINCT execution_id AS id FROM execution_token',
    );
    return rows.map(({ id }) => id);
  };

  it('appears nowhere while it waits, after success, failure, an approval, a crash, and in no refusal', async () => {
    const victim = await startWorker();
    const hangsOnce = { on: { first: 1 }, fault: { kind: 'hang_before_headers' } };
    const crashed = await submit(scripted({ calls: [SEARCH] }, { faults: [hangsOnce], text: 'after all' }));
    await untilIn(crashed, 'running');
    expect(await keptTokens()).toEqual([crashed]);
    await expectNowhere();
    await startWorker();
    await victim.kill();

    const completed = await submit(scripted({ calls: [SEARCH] }, { text: 'done' }));
    const failed = await submit('```sim-script\nno script\n```');
    expect(await readAll(crashed)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await readAll(completed)).toMatchObject({ status: 'completed' });
    await readAll(failed);

    await fetch(`${api.url}/api/agents/1/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ config: { require_approval: ['search_items'] } }),
    });
    const approved = await submit(scripted({ calls: [SEARCH] }, { text: 'approved' }));
    await untilIn(approved, 'requires_action');
    expect(await keptTokens()).toEqual([approved]);
    await expectNowhere();
    await api.post(`/api/executions/${approved}/approvals/`, {
      decisions: [{ call: '1.0', approved: true }],
    });
    expect(await readAll(approved)).toMatchObject({ status: 'completed' });

    const refusals = [
      api.post('/api/agents/1/execute/', { input: 'x', tokens: { crm: `${CANARY}\r\n` } }),
      api.post('/api/agents/1/execute/', { input: '', tokens: TOKENS }),
      api.post('/api/agents/99/execute/', { input: 'x', tokens: TOKENS }),
      api.post('/api/agents/1/execute/', { input: 'x', tokens: CANARY }),
      api.post(`/api/executions/${failed}/retry/`, { tokens: { crm: CANARY } }),
      fetch(`${api.url}/api/agents/1/execute/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"input": "x", "tokens": {"crm": "${CANARY}", }`,
      }),
    ];
    for (const refused of await Promise.all(refusals)) {
      expect(refused.status).toBeGreaterThanOrEqual(400);
      seen.push(await refused.text());
    }
    await waitFor(() => receiver.received.length >= 5, { description: 'the webhooks' });
    expect(await keptTokens()).toEqual([]);
    await expectNowhere();
  }, 90_000);
});
