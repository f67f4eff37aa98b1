import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { ExecutionView } from '#libs/payloads';
import { EchoingServer } from '../../support/mcp/echoing-server.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { dumpDatabase, dumpRedis } from '../../support/services/everything-stored.js';
import { createTestRedis } from '../../support/services/redis-database.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';

/** A text in every token of this file that must appear nowhere else. */
const CANARY = 'canary9f27c1e4';
const TOKENS = { crm: `Bearer ${CANARY}`, mail: CANARY };
const SEARCH = { name: 'search_items', arguments: { query: 'roma', limit: null } };

/** Uses Redis for the queue if there is one: a leak into either store is checked in both. */
describe('a secret that a request brings along', () => {
  const redis = createTestRedis();
  let deployment: Deployment;
  let api: ApiClient;
  let receiver: WebhookReceiver;
  let echoing: EchoingServer;
  let database: Client;
  const processes: ServiceProcess[] = [];
  /** The texts that clients have read. */
  const seen: string[] = [];

  beforeAll(async () => {
    const settings = {
      ...{ LOG_LEVEL: 'trace', PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*' },
      ...(redis && { REDIS_URL: redis.url }),
    };
    echoing = await EchoingServer.listen();
    deployment = await Deployment.open('postgres', settings);
    database = new Client({ connectionString: deployment.databaseUrl });
    await database.connect();
    await database.query(`UPDATE llm SET model = 'sim-script'`);
    receiver = await WebhookReceiver.listen();
    const started = await deployment.startApi();
    processes.push(started.process);
    api = new ApiClient(started.url);
  });
  afterAll(async () => {
    await database.end();
    await receiver.close();
    await echoing.close();
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
  });

  it('appears nowhere though tool servers send it back in everything that they answer', async () => {
    await startWorker();
    const send = async (path: string, body: object): Promise<{ id: string }> => {
      const text = await (await api.post(path, body)).text();
      seen.push(text);
      return JSON.parse(text) as { id: string };
    };
    const headers_template = { Authorization: '${crm}' };
    const mcp = await send('/api/mcp-servers/', {
      ...{ name: 'echo', type: 'http', config: { url: `${echoing.url}/mcp`, headers_template } },
    });
    const operation = (operationId: string) => ({ get: { operationId } });
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Echo', version: '1' },
      paths: { '/well': operation('well'), '/broken': operation('broken'), '/file': operation('file') },
    });
    await send('/api/mcp-servers/', {
      ...{ name: 'service', type: 'openapi', config: { document, base_url: echoing.url, headers_template } },
    });
    await send(`/api/mcp-servers/${mcp.id}/probe/`, { tokens: TOKENS });
    await send('/api/tools/mcp__echo__echo/try/', { input: {}, tokens: TOKENS });
    await send('/api/tools/mcp__echo__break/try/', { input: {}, tokens: TOKENS });
    seen.push(JSON.stringify(await api.get('/api/tools/')));
    await fetch(`${api.url}/api/agents/1/`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tools: { servers: ['mcp__echo__*', 'mcp__service__*'] }, config: {} }),
    });
    const calls = {
      echo__echo: 'succeeded',
      echo__refuse: 'failed',
      echo__fail: 'failed',
      service__well: 'succeeded',
      service__broken: 'failed',
      service__file: 'succeeded',
    };
    const id = await submit(
      scripted(
        { calls: Object.keys(calls).map((name) => ({ name: `mcp__${name}`, arguments: {} })) },
        { calls: [{ name: 'mcp__echo__break', arguments: {} }] },
        { text: 'read' },
      ),
    );
    expect(await readAll(id)).toMatchObject({ status: 'completed' });
    const steps = await api.get<{ data: { status: string; tool_name: string }[] }>(
      `/api/executions/${id}/steps/`,
    );
    // The last call failed with a JSON-RPC error, of which the model reads the message.
    expect(steps.data.map(({ status }) => status)).toEqual([...Object.values(calls), 'failed']);
    expect(JSON.stringify(steps.data)).toContain('[redacted]');
    expect(echoing.seen.filter((secret) => secret === TOKENS.crm).length).toBeGreaterThan(10);
    await waitFor(() => receiver.received.some(({ body }) => body.includes(id)), {
      description: 'the webhook',
    });
    await expectNowhere();
  });
});
