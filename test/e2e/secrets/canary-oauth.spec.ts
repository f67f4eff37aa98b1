import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ExecutionView } from '#libs/payloads';
import { AuthorizationServer } from '../../support/oauth/authorization-server.js';
import { serveProtectedMcp, type ProtectedMcp } from '../../support/oauth/protected-mcp.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { dumpDatabase, dumpRedis } from '../../support/services/everything-stored.js';
import { createTestRedis } from '../../support/services/redis-database.js';
import type { ServiceProcess } from '../../support/services/service-process.js';

const SECRET = 'canary-secret-9f27c1e4';
const REDIRECT = 'https://app.example.com/connected';
const redis = createTestRedis();
const seen: string[] = [];
const processes: ServiceProcess[] = [];
let authorization: AuthorizationServer;
let served: ProtectedMcp;
let deployment: Deployment;
let api: ApiClient;
let agent: number;

beforeAll(async () => {
  authorization = await AuthorizationServer.start();
  authorization.clients.set('us', { secret: SECRET, redirectUris: [REDIRECT] });
  served = await serveProtectedMcp(authorization);
  const env = {
    ...{
      ENCRYPTION_KEY: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      PRIVATE_TOOL_HOSTS: '*:127.0.0.1:*',
    },
    ...{ DEFAULT_MODEL: 'sim-script', LOG_LEVEL: 'trace', ...(redis && { REDIS_URL: redis.url }) },
  };
  deployment = await Deployment.open('postgres', env);
  const started = await deployment.startApi(env);
  processes.push(started.process, await deployment.startWorker(env));
  api = new ApiClient(started.url);
});
afterAll(async () => {
  await deployment.close();
  await served.close();
  await authorization.close();
});

async function make<Made>(path: string, body: object): Promise<Made> {
  const answer = await api.post(path, body);
  const text = await answer.text();
  seen.push(text);
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text) as Made;
}

async function makeServer(name: string, grant: object): Promise<{ id: string }> {
  const known = { type: 'oauth', issuer: authorization.origin, client_id: 'us', client_secret: SECRET };
  const auth = { ...known, client_auth: 'client_secret_post', ...grant };
  return make('/api/mcp-servers/', { name, type: 'http', config: { url: `${served.origin}/mcp`, auth } });
}

async function execute(user: string): Promise<ExecutionView> {
  const sum = (server: string) => ({ name: `mcp__${server}__add`, arguments: { a: 2, b: 3 } });
  const { id } = await make<ExecutionView>(`/api/agents/${agent}/execute/`, {
    input: scripted({ calls: [sum('own'), sum('users')] }, { text: 'done' }),
    executor: { user_id: user, name: user, email: `${user}@example.com` },
  });
  const view = await api.settled(id);
  const steps = await api.get<unknown>(`/api/executions/${id}/steps/`);
  seen.push(JSON.stringify([view, steps, await api.events(id)]));
  return view;
}

it('tokens, codes and secrets of OAuth appear nowhere: not in answers, logs, the queue or the database', async () => {
  await makeServer('own', { grant: 'client_credentials' });
  const users = await makeServer('users', { grant: 'authorization_code', redirect_uri: REDIRECT });
  const llm = await make<{ id: number }>('/api/llms/', { name: 'script', model: 'sim-script' });
  const made = await make<{ id: number }>('/api/agents/', {
    ...{ name: 'counter', usecase_type: 'BASIC_CHAT', llm: llm.id },
    tools: { servers: ['mcp__own__add', 'mcp__users__add'] },
  });
  agent = made.id;

  expect(await execute('mara')).toMatchObject({ status: 'failed', error: { code: 'CONNECTION_NEEDED' } });

  const begun = await api.post('/api/connections/', { server_id: users.id, user_id: 'mara' });
  const { authorize_url: url } = (await begun.json()) as { authorize_url: string };
  const back = await fetch(url, { redirect: 'manual' });
  const answer = Object.fromEntries(new URL(back.headers.get('location') ?? '').searchParams);
  const connected = await make<{ id: string; status: string }>('/api/connections/callback/', answer);
  expect(connected.status).toBe('connected');

  expect(await execute('mara')).toMatchObject({ status: 'completed' });
  expect(await execute('noa')).toMatchObject({ status: 'failed', error: { code: 'CONNECTION_NEEDED' } });
  authorization.forgetAll();
  await execute('mara');
  authorization.clients.clear();
  await execute('mara');
  await make(`/api/connections/${connected.id}/revoke/`, {});

  const places: Record<string, string> = {
    answers: seen.join('\n'),
    logs: processes.map(({ log }) => log).join('\n'),
    database: await dumpDatabase(deployment.databaseUrl),
    redis: redis === null ? '' : await dumpRedis(redis.url),
    model: await (await fetch(`${deployment.simulatorUrl}/__control/requests`)).text(),
  };
  const secrets = [SECRET, answer['code'] ?? '', answer['state'] ?? '', ...authorization.issued];
  expect(authorization.issued.length).toBeGreaterThan(2);
  const found = Object.keys(places).filter((place) =>
    secrets.some((secret) => places[place]?.includes(secret)),
  );
  expect(found).toEqual([]);
});
