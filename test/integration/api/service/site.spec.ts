import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const FILES = {
  'index.html': 'all documents',
  '404.html': 'no such document',
  'guides/webhooks.html': 'webhooks',
  'contributing/index.html': 'contributing',
  'assets/app.Ab12Cd34.js': 'export {};',
  'api/index.html': '<redoc></redoc>',
};

let database: TestDatabase;
let folder: string;
let api: RunningApi;
let closed: RunningApi;
let unbuilt: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  for (const part of ['guides', 'contributing', 'assets', 'api']) mkdirSync(join(folder, part));
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(folder, path), text);
  writeFileSync(join(folder, '..', 'beside.txt'), 'not for browsers');
  const env = { DATABASE_URL: database.url };
  api = await startApi(env, { siteFolder: folder });
  closed = await startApi({ ...env, CONSOLE: 'off' }, { siteFolder: folder });
  unbuilt = await startApi(env, { siteFolder: join(folder, 'nowhere') });
});
afterAll(async () => {
  await Promise.all([api, closed, unbuilt].map(({ app }) => app.close()));
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const get = (path: string): Promise<Response> => fetch(new URL(path, api.url), { redirect: 'manual' });

describe('the documentation', () => {
  it.each([
    ['/docs/', 'all documents'],
    ['/docs/?from=console', 'all documents'],
    ['/docs/guides/webhooks.html', 'webhooks'],
    ['/docs/contributing/', 'contributing'],
    ['/docs/api/', '<redoc></redoc>'],
  ])('has a page at %s, which is asked for anew each time', async (path, text) => {
    const answer = await get(path);

    expect([answer.status, await answer.text()]).toEqual([200, text]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['/docs', '/docs/'],
    ['/docs/api', '/docs/api/'],
  ])('%s is sent to %s', async (path, target) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, target]);
  });

  it('has files that are kept for a year, by the hash in their name', async () => {
    const answer = await get('/docs/assets/app.Ab12Cd34.js');

    expect([answer.status, await answer.text()]).toEqual([200, 'export {};']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('has a page for a document that is not there, and none for a file of an earlier build', async () => {
    const answer = await get('/docs/guides/nothing.html');
    expect([answer.status, await answer.text()]).toEqual([404, 'no such document']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expectProblem(await ask(api.url, '/docs/assets/app.00000000.js'), {
      ...{ status: 404, code: 'ROUTE_NOT_FOUND', detail: 'the API has no such path' },
    });
  });

  it.each(['/docs/', '/docs/api/', '/docs/guides/nothing.html'])(
    'may run its own scripts only, which are files, at %s',
    async (path) => {
      const csp = (await get(path)).headers.get('content-security-policy');
      expect(csp?.split(';').toSorted()).toEqual([
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self' data:",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
      ]);
    },
  );

  it.each(['/docs/..%2fbeside.txt', '/docs/%2e%2e/beside.txt', '/docs/assets/..%2f..%2fbeside.txt'])(
    'shows nothing beside its folder: %s',
    async (path) => {
      const { statusCode, body } = await request(`${api.url}${path}`);
      expect([statusCode < 400, (await body.text()).includes('not for browsers')]).toEqual([false, false]);
    },
  );

  it('is not there with CONSOLE=off, unlike the OpenAPI document', async () => {
    for (const path of ['/docs', '/docs/', '/docs/api/'])
      expect((await ask(closed.url, path)).status).toBe(404);
    expect((await ask(closed.url, '/openapi.json')).status).toBe(200);
  });

  it('says that it is not built', async () => {
    for (const path of ['/docs/', '/docs/api/'])
      expectProblem(await ask(unbuilt.url, path), {
        ...{ status: 404, code: 'NOT_FOUND' },
        detail: 'the documentation is not built here: run "npm run build", or set CONSOLE=off',
      });
  });
});
