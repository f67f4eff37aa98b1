import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { Client } from 'pg';
import { AuthorizationServer } from '../../support/oauth/authorization-server.js';
import { serveProtectedMcp, type ProtectedMcp } from '../../support/oauth/protected-mcp.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';

const REDIRECT = 'https://app.example.com/connected';
const settings = { PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*', DEFAULT_MODEL: 'sim-script' };
let authorization: AuthorizationServer;
let served: ProtectedMcp;
let deployment: Deployment;
let api: ApiClient;
let database: Client;
let worker: ServiceProcess;

beforeAll(async () => {
  authorization = await AuthorizationServer.start();
  authorization.clients.set('us', { redirectUris: [REDIRECT] });
  served = await serveProtectedMcp(authorization);
  deployment = await Deployment.open('postgres', settings);
  api = new ApiClient((await deployment.startApi()).url);
  worker = await deployment.startWorker();
  database = new Client({ connectionString: deployment.databaseUrl });
  await database.connect();
});
afterEach(() => {
  authorization.beforeTokenAnswer = () => Promise.resolve();
});
afterAll(async () => {
  await database.end();
  await deployment.close();
  await served.close();
  await authorization.close();
});

async function make<Made>(path: string, body: object): Promise<Made> {
  const answer = await api.post(path, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Made;
}

interface Connected {
  readonly connection: string;
  readonly agent: number;
}

/** Connects a user to a server of their own, and creates an agent with its tools. */
async function connect(name: string): Promise<Connected> {
  const known = { type: 'oauth', grant: 'authorization_code', issuer: authorization.origin };
  const auth = { ...known, redirect_uri: REDIRECT, client_auth: 'none', client_id: 'us' };
  const config = { url: `${served.origin}/mcp`, auth };
  const server = await make<{ id: string }>('/api/mcp-servers/', { name, type: 'http', config });
  const llm = await make<{ id: number }>('/api/llms/', { name, model: 'sim-script' });
  const agent = await make<{ id: number }>('/api/agents/', {
    ...{ name, usecase_type: 'BASIC_CHAT', llm: llm.id, tools: { servers: [`mcp__${name}__add`] } },
  });
  const begun = await make<{ authorize_url: string }>('/api/connections/', {
    ...{ server_id: server.id, user_id: 'mara' },
  });
  const back = await fetch(begun.authorize_url, { redirect: 'manual' });
  const answer = Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams);
  const connection = await make<{ id: string }>('/api/connections/callback/', answer);
  return { connection: connection.id, agent: agent.id };
}

/** Kills the worker after the authorization server has handled its refresh, and before the answer arrives. */
function killAtRefresh(): Promise<void> {
  return new Promise((resolve, reject) => {
    authorization.beforeTokenAnswer = async () => {
      authorization.beforeTokenAnswer = () => Promise.resolve();
      await worker.kill();
      // The lease of a token refresh lasts half a minute, and is the only time that is shortened here.
      await database.query('UPDATE connection SET refresh_until = now() WHERE refresh_until IS NOT NULL');
      worker = await deployment.startWorker();
    };
    const { beforeTokenAnswer } = authorization;
    authorization.beforeTokenAnswer = () => beforeTokenAnswer().then(resolve, reject);
  });
}

async function run({ agent }: Connected, name: string): Promise<ExecutionView> {
  authorization.expireAll();
  const killed = killAtRefresh();
  const { id } = await make<ExecutionView>(`/api/agents/${agent}/execute/`, {
    input: scripted({ calls: [{ name: `mcp__${name}__add`, arguments: { a: 2, b: 3 } }] }, { text: 'done' }),
    executor: { user_id: 'mara', name: 'Mara', email: 'mara@example.com' },
  });
  await killed;
  return api.settled(id);
}

const statusOf = ({ connection }: Connected): Promise<Record<string, unknown>> =>
  api.get(`/api/connections/${connection}/`);

it('a worker that dies with a refresh token that was used up leaves a connection that says so', async () => {
  authorization.rotates = true;
  const connected = await connect('strict');
  expect(await run(connected, 'strict')).toMatchObject({
    status: 'failed',
    error: { code: 'CONNECTION_NEEDED' },
  });
  expect(await statusOf(connected)).toMatchObject({ status: 'needs_reconnect', reason: 'refresh_lost' });
});

it('where the refresh token counts again, the next worker goes on with it', async () => {
  authorization.rotates = false;
  const connected = await connect('lenient');
  expect(await run(connected, 'lenient')).toMatchObject({ status: 'completed' });
  expect(await statusOf(connected)).toMatchObject({ status: 'connected', reason: null });
});
