import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const PAGE = '<!doctype html><title>console</title>';
const SCRIPT = `export const text = '${'x'.repeat(5_000)}';`;

let database: TestDatabase;
let folder: string;
let api: RunningApi;
let closed: RunningApi;
let unbuilt: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets', 'index-Ab12Cd34.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'start-Ef56Gh78.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'start-Ef56Gh78.js.br'), brotliCompressSync('by br'));
  writeFileSync(join(folder, 'assets', 'start-Ef56Gh78.js.gz'), gzipSync('by gzip'));
  writeFileSync(join(folder, '..', 'beside.txt'), 'not for browsers');
  const env = { DATABASE_URL: database.url, AUTH: 'api-key' };
  api = await startApi(env, { consoleFolder: folder });
  closed = await startApi({ ...env, CONSOLE: 'off' }, { consoleFolder: folder });
  unbuilt = await startApi(env, { consoleFolder: join(folder, 'nowhere') });
});
afterAll(async () => {
  await Promise.all([api, closed, unbuilt].map(({ app }) => app.close()));
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}, at = api): Promise<Response> =>
  fetch(new URL(path, at.url), { headers, redirect: 'manual' });

describe('the console', () => {
  it.each([
    '/console/',
    '/console/index.html',
    '/console/executions/0197',
    '/console/agents/gpt-4.1?tab=a/b',
    '/console/assets.html',
  ])('has its page at %s, which is asked for anew each time and needs no key', async (path) => {
    const answer = await get(path);

    expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    const again = await request(new URL(path, api.url), {
      headers: { 'if-none-match': String(answer.headers.get('etag')) },
    });
    expect([again.statusCode, await again.body.text()]).toEqual([304, '']);
  });

  it('is sent without a warning of Node, which would be one for each request', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);
    for (const path of ['/console/', '/console/deep/link', '/console/assets/index-Ab12Cd34.js'])
      await (await get(path)).text();
    process.off('warning', note);

    expect(warnings).toEqual([]);
  });

  it('may run its own files only, and stands in no frame', async () => {
    const { headers } = await get('/console/');

    expect(headers.get('content-security-policy')?.split(';').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data: blob:",
      "script-src 'self'",
      "style-src 'self'",
      "style-src-attr 'unsafe-inline'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('has files that are kept for a year, by the hash in their name, and sent compressed', async () => {
    const { statusCode, headers, body } = await request(
      new URL('/console/assets/index-Ab12Cd34.js', api.url),
      { headers: { 'accept-encoding': 'br' } },
    );

    expect(statusCode).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(Buffer.from(await body.arrayBuffer())).toString()).toBe(SCRIPT);
  });

  it.each([
    ['br, gzip', 'br', (bytes: Buffer) => brotliDecompressSync(bytes).toString(), 'by br'],
    ['gzip, deflate', 'gzip', (bytes: Buffer) => gunzipSync(bytes).toString(), 'by gzip'],
    ['identity', undefined, String, SCRIPT],
  ])(
    'has files that the build has compressed, for a browser that takes %s',
    async (takes, encoding, textOf, text) => {
      const url = new URL('/console/assets/start-Ef56Gh78.js', api.url);
      const { statusCode, headers, body } = await request(url, { headers: { 'accept-encoding': takes } });

      expect([statusCode, headers['content-encoding']]).toEqual([200, encoding]);
      expect(textOf(Buffer.from(await body.arrayBuffer()))).toBe(text);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
      expect(String(headers.vary).toLowerCase()).toContain('accept-encoding');
    },
  );

  it('has other files without a hash, which are asked for anew', async () => {
    const answer = await get('/console/favicon.svg');

    expect([answer.status, await answer.text()]).toEqual([200, '<svg/>']);
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
  });

  it('answers HEAD without a body', async () => {
    const answer = await fetch(new URL('/console/', api.url), { method: 'HEAD' });

    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      ...[200, String(PAGE.length), ''],
    ]);
  });

  it('has no page in the place of a file that an earlier build had', async () => {
    for (const path of ['/console/assets/index-00000000.js', '/console/assets/']) {
      const answer = await ask(api.url, path);
      expectProblem(answer, {
        status: 404,
        code: 'ROUTE_NOT_FOUND',
        detail: 'the API has no such path',
      });
    }
  });

  it.each(['/console/..%2fbeside.txt', '/console/%2e%2e/beside.txt', '/console/assets/..%2f..%2fbeside.txt'])(
    'shows nothing beside its folder: %s',
    async (path) => {
      const { statusCode, body } = await request(`${api.url}${path}`);

      expect([statusCode < 400, (await body.text()).includes('not for browsers')]).toEqual([false, false]);
    },
  );

  it('takes nothing', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await ask(api.url, '/console/', { method })).status).toBe(405);
  });

  it('is where a browser is sent that asks for /, with or without the slash', async () => {
    const sent = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([sent.status, sent.headers.get('location'), sent.headers.get('vary')]).toEqual([
      ...[302, '/console/', 'Accept'],
    ]);
    const slashed = await get('/console');
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, '/console/']);

    for (const accept of ['*/*', 'application/json']) {
      const answer = await ask(api.url, '/', { headers: { accept } });
      expectProblem(answer, {
        status: 404,
        code: 'ROUTE_NOT_FOUND',
        detail: 'the API has no such path',
      });
    }
  });
});

describe('without the console', () => {
  it('there is nothing at its path, and no browser is sent there', async () => {
    for (const path of ['/', '/console/', '/console/assets/index-Ab12Cd34.js'])
      expect((await ask(closed.url, path, { headers: { accept: 'text/html' } })).status).toBe(404);
  });
});

describe('a console that is not built', () => {
  it('says so', async () => {
    expectProblem(await ask(unbuilt.url, '/console/'), {
      ...{ status: 404, code: 'NOT_FOUND' },
      detail: 'the console is not built here: run "npm run build", or set CONSOLE=off',
    });
  });
});
