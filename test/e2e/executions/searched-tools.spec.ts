import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { largeDescription } from '../../support/documents/large-description.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { createPatientServer } from '../../support/services/patient-server.js';
import { waitFor } from '../../support/services/wait-for.js';

const ENV = { DEFAULT_MODEL: 'sim-script', PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*' };
const OPERATIONS = 1_100;

const service = createPatientServer();
/** The requests that reached the service, such as `POST /things/1`. */
const asked: string[] = [];
/** The path of a request that is never answered; null for none. */
let hangs: string | null = null;
let deployment: Deployment;
let api: ApiClient;
let agentId: number;

beforeAll(async () => {
  service.on('request', (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url !== hangs)
      response.setHeader('content-type', 'application/json').end('{"name":"a thing"}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  deployment = await Deployment.open('postgres');
  api = new ApiClient((await deployment.startApi(ENV)).url);
  const document = JSON.stringify(largeDescription(OPERATIONS));
  expect(document.length).toBeGreaterThan(8_000_000);
  await make('/api/mcp-servers/', {
    ...{ name: 'large', type: 'openapi' },
    config: { document, base_url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` },
  });
  const llm = await make<{ id: number }>('/api/llms/', { name: 'script', model: 'sim-script' });
  const agent = await make<{ id: number }>('/api/agents/', {
    ...{ name: 'finder', usecase_type: 'BASIC_CHAT', llm: llm.id },
    ...{ tools: { servers: ['mcp__large__*'] }, config: { require_approval: ['mcp__large__makeThing7'] } },
  });
  agentId = agent.id;
});
afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await deployment.close();
});

async function make<Made>(path: string, body: object, status = 201): Promise<Made> {
  const answer = await api.post(path, body);
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, expect.anything()]);
  return JSON.parse(text) as Made;
}

async function submit(...rounds: Parameters<typeof scripted>): Promise<string> {
  const input = scripted(...rounds);
  return (await make<ExecutionView>(`/api/agents/${agentId}/execute/`, { input }, 202)).id;
}

const via = (name: string, args: object) => ({ name: 'call_tool', arguments: { name, arguments: args } });
const stepsOf = async (id: string): Promise<string[]> => {
  const { data } = await api.get<{ data: { tool_name: string; status: string }[] }>(
    `/api/executions/${id}/steps/`,
  );
  return data.map(({ tool_name, status }) => `${tool_name} ${status}`);
};

it('an agent works with 1,100 tools: it searches, reads, asks a person, writes, and is killed on the way', async () => {
  const victim = await deployment.startWorker(ENV);
  const id = await submit(
    { calls: [{ name: 'search_tools', arguments: { query: 'makes a thing in drawer 7', limit: 3 } }] },
    { calls: [via('mcp__large__getThing6', {})] },
    { calls: [via('mcp__large__makeThing7', { name: 'a cup' })] },
    { text: 'made' },
  );
  const view = await waitFor(
    async () => {
      const found = await api.get<ExecutionView>(`/api/executions/${id}/`);
      return found.status === 'requires_action' ? found : null;
    },
    { description: 'a person to be asked' },
  );
  expect(view.required_action?.calls).toMatchObject([
    { call: '3.0', tool_name: 'mcp__large__makeThing7', tool_input: { name: 'a cup' } },
  ]);
  expect(asked).toEqual(['GET /things/6']);
  const decisions = [{ call: '3.0', approved: true }];
  await api.post(`/api/executions/${id}/approvals/`, { decisions });
  expect(await api.settled(id)).toMatchObject({ status: 'completed' });
  expect(asked).toEqual(['GET /things/6', 'POST /things/7']);
  expect(await stepsOf(id)).toEqual([
    'search_tools succeeded',
    'mcp__large__getThing6 succeeded',
    'mcp__large__makeThing7 succeeded',
  ]);
  const prompts = await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text();
  expect(prompts).toContain('Makes a thing in drawer 7.');
  expect(prompts).not.toContain('Makes a thing in drawer 999.');

  hangs = '/things/9';
  const killed = await submit(
    { calls: [via('mcp__large__makeThing9', { name: 'a pot' })] },
    { text: 'never' },
  );
  await waitFor(() => asked.includes('POST /things/9'), { description: 'the service to be asked' });
  await deployment.startWorker(ENV);
  await victim.kill();
  expect(await api.settled(killed)).toMatchObject({
    status: 'failed',
    error: { code: 'TOOL_OUTCOME_UNKNOWN' },
  });
  expect(asked.filter((request) => request === 'POST /things/9')).toHaveLength(1);
  expect(await stepsOf(killed)).toEqual(['mcp__large__makeThing9 outcome_unknown']);
});
