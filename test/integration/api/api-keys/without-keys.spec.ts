import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';

const LIST = '/api/executions/';

let database: TestDatabase;
let open: RunningApi;
let keyed: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  open = await startApi({ DATABASE_URL: database.url });
  keyed = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
});

afterAll(async () => {
  await open.app.close();
  await keyed.app.close();
  await database.drop();
});

interface Heard {
  readonly status: number;
  readonly type: string;
  readonly problem: { readonly code?: string; readonly detail?: string };
}

/** Sends a request by `node:http`, because fetch sets these headers by itself. */
function send(api: RunningApi, path: string, headers: Record<string, string>, body?: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, api.url), { method: body === undefined ? 'GET' : 'POST', headers });
    sent.once('error', reject);
    sent.once('response', (response) => {
      void text(response).then((answer) => {
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          problem: JSON.parse(answer) as Heard['problem'],
        });
      }, reject);
    });
    sent.end(body);
  });
}

const own = (api: RunningApi): string => new URL(api.url).host;

describe('without keys, a request of this machine is served (S3-32)', () => {
  it.each<[string, () => Record<string, string>]>([
    ['by name', () => ({ host: 'localhost' })],
    ['by name and port', () => ({ host: 'LocalHost:3000' })],
    ['by any loopback address', () => ({ host: '127.8.9.250:1' })],
    ['by the loopback address of IPv6', () => ({ host: '[::1]:3000' })],
    [
      'from a page that the server itself has served',
      () => ({ origin: `http://${own(open)}`, 'sec-fetch-site': 'same-origin' }),
    ],
    ['from the address bar of a browser', () => ({ 'sec-fetch-site': 'none' })],
  ])('%s', async (_name, headers) => {
    expect((await send(open, LIST, headers())).status).toBe(200);
  });
});

describe('without keys, a request from another machine is refused', () => {
  const HOST = 'Host must be localhost, 127.0.0.1 or [::1]';
  const ORIGIN = 'Origin must not be another site';
  const SITE = 'Sec-Fetch-Site must be same-origin or none';
  const forwarded = (name: string): string => `the header ${name} says that the request was forwarded`;

  it.each<[string, Record<string, string>, string]>([
    ['a name that points to this machine', { host: 'rebound.example.com' }, HOST],
    ['such a name with a port', { host: 'rebound.example.com:3000' }, HOST],
    ['a name that begins like ours', { host: 'localhost.example.com' }, HOST],
    ['an address that begins like ours', { host: '127.0.0.1.example.com' }, HOST],
    ['an address that is none', { host: '127.0.0.256' }, HOST],
    ['every address', { host: '0.0.0.0:3000' }, HOST],
    ['an address of the network', { host: '192.168.1.5' }, HOST],
    ['a name of the network', { host: 'capstan' }, HOST],
    ['a page of another site', { origin: 'https://example.com' }, ORIGIN],
    ['a page of another port', { origin: 'http://localhost:5173' }, ORIGIN],
    ['a page of nowhere', { origin: 'null' }, ORIGIN],
    ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }, SITE],
    ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }, SITE],
    ['Forwarded', { forwarded: 'for=192.0.2.1' }, forwarded('forwarded')],
    ['X-Forwarded-For', { 'x-forwarded-for': '192.0.2.1' }, forwarded('x-forwarded-for')],
    ['X-Forwarded-Host', { 'x-forwarded-host': 'example.com' }, forwarded('x-forwarded-host')],
    ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https' }, forwarded('x-forwarded-proto')],
    ['X-Real-IP', { 'x-real-ip': '192.0.2.1' }, forwarded('x-real-ip')],
    ['Via', { via: '1.1 proxy' }, forwarded('via')],
  ])('%s', async (_name, headers, sign) => {
    const { status, type, problem } = await send(open, LIST, headers);

    expect([status, problem.code, type]).toEqual([
      403,
      'NOT_LOCAL',
      'application/problem+json; charset=utf-8',
    ]);
    expect(problem.detail).toBe(
      `${sign}; with AUTH=off only programs of this machine are served: set AUTH=api-key to serve others`,
    );
  });

  it('also when it would submit work, and nothing is accepted', async () => {
    const headers = { origin: 'https://example.com', 'content-type': 'application/json' };

    const refused = await send(open, '/api/agents/1/execute/', headers, '{"input":"x"}');

    expect(refused.status).toBe(403);
    expect((await send(open, LIST, {})).problem).toMatchObject({ data: [] });
  });

  it.each(['/docs/', '/openapi.json', '/healthz', '/nothing'])('at %s too', async (path) => {
    expect((await send(open, path, { host: 'rebound.example.com' })).status).toBe(403);
  });
});

it('with keys, a proxy and any name may stand before the server', async () => {
  const headers = {
    host: 'capstan.example.com',
    'x-forwarded-for': '192.0.2.1',
    origin: 'https://example.com',
  };

  expect((await send(keyed, '/healthz', headers)).status).toBe(200);
  expect((await send(keyed, LIST, headers)).status).toBe(401);
});
