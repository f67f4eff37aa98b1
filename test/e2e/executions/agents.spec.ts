import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { Client } from 'pg';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { waitFor } from '../../support/services/wait-for.js';

let deployment: Deployment;
let api: ApiClient;
let database: Client;
let boss: number;
const search = { name: 'search_items', arguments: { query: 'roma', limit: null } };

beforeAll(async () => {
  deployment = await Deployment.open('postgres');
  database = new Client({ connectionString: deployment.databaseUrl });
  await database.connect();
  await database.query(`UPDATE llm SET model = 'sim-script'`);
  api = new ApiClient((await deployment.startApi()).url);
  const clerk = await addAgent({
    tools: { builtin: ['search_items'] },
    config: { require_approval: ['search_items'] },
  });
  const scout = await addAgent({ tools: { builtin: ['search_items'] } });
  const scribe = await addAgent({});
  boss = await addAgent({
    tools: {
      agents: [
        { agent: clerk, name: 'clerk', description: 'Saves orders.' },
        { agent: scout, name: 'scout', description: 'Searches.' },
        { agent: scribe, name: 'scribe', description: 'Writes.' },
      ],
    },
  });
  const asks = (name: string, prompt: string) => ({ name, arguments: { prompt } });
  await script(
    'the boss',
    {
      calls: [
        asks('clerk', 'for the clerk'),
        asks('scout', 'for the scout'),
        asks('scribe', 'for the scribe'),
      ],
    },
    { text: 'all done' },
  );
  await script('for the clerk', { calls: [search] }, { text: 'saved' });
  // The model hangs once, so that the kill falls into its call even on a slow machine.
  const hangsOnce = { on: { first: 1 }, fault: { kind: 'hang_before_headers' } };
  await script('for the scout', { calls: [search] }, { faults: [hangsOnce], text: 'found' });
  await script('for the scribe', { text: 'written' });
});
afterAll(async () => {
  await database.end();
  await deployment.close();
});

async function addAgent(fields: object): Promise<number> {
  const answer = await api.post('/api/agents/', {
    name: 'An agent',
    usecase_type: 'BASIC_CHAT',
    llm: 1,
    ...fields,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

async function script(contains: string, ...answers: object[]): Promise<void> {
  const body = JSON.stringify({ contains, answers });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${deployment.simulatorUrl}/__control/scripts`, {
    method: 'POST',
    headers,
    body,
  });
  expect(answer.status).toBe(201);
}

interface ModelRequest {
  readonly response_id?: string;
  readonly terminal_sent?: boolean;
  readonly usage?: { readonly total_tokens: number } | null;
}

async function modelRequests(): Promise<ModelRequest[]> {
  const response = await fetch(`${deployment.simulatorUrl}/__control/requests`);
  return ((await response.json()) as { requests: ModelRequest[] }).requests;
}

it('three agents at once, one of them waits for a person, and their worker is killed: one result, each charged as the model says', async () => {
  const victim = await deployment.startWorker();
  const submitted = await api.post(`/api/agents/${boss}/execute/`, { input: 'the boss' });
  const { id } = (await submitted.json()) as ExecutionView;
  await waitFor(async () => (await modelRequests()).length === 5, { description: 'the scout to ask again' });
  const survivor = await deployment.startWorker();
  await victim.kill();
  const waiting = await waitFor(
    async () => {
      const view = await api.get<ExecutionView>(`/api/executions/${id}/`);
      return view.status === 'requires_action' ? view : null;
    },
    { description: 'the execution to wait for a person' },
  );
  expect(waiting.required_action?.calls).toMatchObject([
    { call: '1.0:1.0', scope: '1.0', tool_name: 'search_items' },
  ]);
  const decision = { call: '1.0:1.0', approved: false, reason: 'not today' };
  expect((await api.post(`/api/executions/${id}/approvals/`, { decisions: [decision] })).status).toBe(200);
  const view = await api.settled(id);
  expect(view).toMatchObject({ status: 'completed', result: { message: { content: 'all done' } } });

  const steps = await api.get<{ data: { scope: string; tool_name: string; status: string }[] }>(
    `/api/executions/${id}/steps/`,
  );
  expect(steps.data.map(({ scope, tool_name, status }) => `${scope}:${tool_name} ${status}`)).toEqual([
    ':clerk succeeded',
    ':scout succeeded',
    ':scribe succeeded',
    '1.0:search_items refused',
    '1.1:search_items succeeded',
  ]);
  const { rows } = await database.query<{ scope: string; response_id: string; total_tokens: number }>(
    `SELECT scope, response_id, total_tokens::int FROM usage_log WHERE execution_id = $1 AND state = 'known' ORDER BY scope, round`,
    [id],
  );
  expect(rows.map(({ scope }) => scope)).toEqual(['', '', '1.0', '1.0', '1.1', '1.1', '1.2']);
  const charged = new Map(
    (await modelRequests()).map((request) => [request.response_id, request.usage?.total_tokens]),
  );
  for (const { response_id, total_tokens } of rows)
    expect([response_id, charged.get(response_id)]).toEqual([response_id, total_tokens]);
  const events = await api.events(id);
  expect(events.map((event) => Number(event.id))).toEqual(events.map((_, index) => index + 1));
  const scopes = new Set(events.map((event) => (JSON.parse(event.data) as { scope?: string }).scope ?? ''));
  expect([...scopes].toSorted()).toEqual(['', '1.0', '1.1', '1.2']);
  await survivor.stop();
});
