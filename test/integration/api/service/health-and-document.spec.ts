import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { createApiPreview } from '../../../../apps/api/src/create-api-app.js';
import { buildOpenApiDocument } from '../../../../apps/api/src/openapi/build-document.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { ask } from '../http-client.js';
import { openStream } from '../sse-client.js';

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});

afterAll(async () => {
  await api.app.close();
  await database.drop();
});

describe('health', () => {
  it.each(['/healthz', '/readyz', '/healthz/'])('%s answers 200', async (path) => {
    expect(await ask(api.url, path)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});

describe('the document of the API', () => {
  it('is the one that is written without a database', async () => {
    const config = parseEnv({ DATABASE_URL: 'postgres://127.0.0.1:1/nowhere' });
    const preview = await createApiPreview(config, pino({ level: 'silent' }));

    const { status, body } = await ask(api.url, '/openapi.json');

    expect(status).toBe(200);
    expect(body).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument(preview))));
  });

  it('has the last slashes of S3, and problems with their media type', async () => {
    const { body } = await ask(api.url, '/openapi.json');

    const { paths } = body as {
      paths: Record<string, Record<string, { responses: Record<string, object> }>>;
    };
    expect(Object.keys(paths)).toContain('/api/agents/{id}/execute/');
    const { responses } = paths['/api/agents/{id}/execute/']?.post ?? { responses: {} };
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['200', '202', '400', '404', '413', '415', '422', '503']),
    );
    expect(responses['404']).toEqual({ $ref: '#/components/responses/NotFound' });
    const { NotFound } = (body.components as { responses: Record<string, { content: object }> }).responses;
    expect(Object.keys(NotFound?.content ?? {})).toEqual(['application/problem+json']);
  });
});

describe('every answer', () => {
  it('names its request, by the caller’s id where that may stand in a log', async () => {
    const headers = { 'x-request-id': 'order-7.retry_1' };
    const given = await ask(api.url, '/api/agents/', { headers });
    const forged = await ask(api.url, '/nothing', { headers: { 'x-request-id': 'a "quoted" {line}' } });

    expect(given.headers.get('x-request-id')).toBe('order-7.retry_1');
    expect(forged.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(forged.body.request_id).toBe(forged.headers.get('x-request-id'));
  });
});

describe('the log', () => {
  it('has a line for each answer: method, path, status, request id; no query and no body', async () => {
    const json = { input: 'a s3cret text', metadata: { key: 's3cret' } };
    const headers = { 'x-request-id': 'logged-1', 'idempotency-key': 's3cret-key' };

    await ask(api.url, '/api/agents/1/execute/', { json, headers });
    await ask(api.url, '/api/agents/?token=s3cret', { headers: { 'x-request-id': 'logged-2' } });

    const lines = await linesOf('logged-', 2);
    expect(lines).toMatchObject([
      {
        req: { id: 'logged-1', method: 'POST', path: '/api/agents/1/execute/' },
        res: { status: 202 },
        msg: 'answered',
      },
      { req: { id: 'logged-2', method: 'GET', path: '/api/agents/' }, res: { status: 400 }, msg: 'answered' },
    ]);
    expect(api.log.join('')).not.toContain('s3cret');
  });

  it('has a line for an answer whose client has gone', async () => {
    const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'hello' } });
    const path = `/api/executions/${String(body.id)}/events/`;
    const stream = await openStream(api.url, path, { 'x-request-id': 'left-1' });
    stream.leave();

    expect(stream.status).toBe(200);
    const req = { id: 'left-1', method: 'GET', path };
    expect(await linesOf('left-1', 1)).toMatchObject([
      { level: 'info', req, res: { status: 200 }, msg: 'the client has gone' },
    ]);
  });

  it('has no line for a probe', async () => {
    await ask(api.url, '/healthz?probe', { headers: { 'x-request-id': 'alive-1' } });
    // A busy machine may answer a probe with 503, which is logged.
    let probes = 0;
    const isReady = async (): Promise<boolean> => {
      const headers = { 'x-request-id': `ready-${(probes += 1)}.` };
      return (await ask(api.url, '/readyz?probe', { headers })).status === 200;
    };
    await waitFor(isReady, { description: 'the API to be ready' });
    await ask(api.url, '/api/agents/', { headers: { 'x-request-id': 'after-1' } });

    await linesOf('after-1', 1);
    expect(api.log.join('')).not.toContain('alive-1');
    expect(api.log.join('')).not.toContain(`ready-${probes}.`);
  });

  it('has the reason of a failure, without the parameters of the statement', async () => {
    await api.dataSource.query('ALTER TABLE execution RENAME COLUMN metadata TO hidden');

    const answer = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'a s3cret text' } });

    await api.dataSource.query('ALTER TABLE execution RENAME COLUMN hidden TO metadata');
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(answer.text).not.toContain('metadata');
    const lines = await linesOf(String(answer.body.request_id), 2);
    const req = { method: 'POST', path: '/api/agents/1/execute/' };
    expect(lines).toMatchObject([
      { level: 'error', msg: 'the request failed', code: 'INTERNAL_ERROR', req },
      { level: 'error', msg: 'answered', req, res: { status: 500 } },
    ]);
    expect(JSON.stringify(lines[0])).toContain('column \\"metadata\\"');
    expect(api.log.join('')).not.toContain('s3cret');
  });
});

/** Waits for at least `count` log lines with this text; returns them parsed. */
async function linesOf(text: string, count: number): Promise<readonly object[]> {
  const find = () => api.log.filter((line) => line.includes(text));
  await waitFor(() => find().length >= count, { description: `${count} lines with ${text}` });
  return find().map((line) => JSON.parse(line) as object);
}
