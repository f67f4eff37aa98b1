import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const EXECUTE = '/api/agents/1/execute/';
const MIB = 1_048_576;

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

const NOT_JSON = 'the body must be valid JSON';
const PROTOTYPE = 'the body must not have keys that reach for prototypes: __proto__, constructor.prototype';
const TOO_DEEP = 'the body must not be nested deeper than 64 levels';

/** A submit with nested lists, the deepest of them at level `levels`; the body is level 1. */
function nested(levels: number): string {
  const lists = levels - 2;
  return `{"input":"x","options":{"deep":${'['.repeat(lists)}${']'.repeat(lists)}}}`;
}

it.each<[name: string, raw: string | Uint8Array, code: string, detail: string]>([
  ['half a JSON', '{"input": "s3cret', 'INVALID_JSON', NOT_JSON],
  ['blanks', ' ', 'INVALID_JSON', NOT_JSON],
  ['two values', '{} {}', 'INVALID_JSON', NOT_JSON],
  ['no UTF-8', new Uint8Array([0x22, 0xe3, 0x81, 0x22]), 'INVALID_JSON', 'the body must be UTF-8 text'],
  ['__proto__', '{"input":"x","__proto__":{"a":1}}', 'INVALID_JSON', PROTOTYPE],
  ['a deep __proto__', '{"input":"x","options":{"a":[{"__proto__":1}]}}', 'INVALID_JSON', PROTOTYPE],
  ['constructor.prototype', '{"input":"x","constructor":{"prototype":{}}}', 'INVALID_JSON', PROTOTYPE],
  ['65 levels', nested(65), 'JSON_TOO_DEEP', TOO_DEEP],
  ['a million levels', '['.repeat(MIB), 'JSON_TOO_DEEP', TOO_DEEP],
])('a body of %s is refused', async (_name, raw, code, detail) => {
  const answer = await ask(api.url, EXECUTE, { raw });

  expectProblem(answer, { status: 400, code, detail, places: ['pointer #'] });
  expect(answer.text).not.toContain('s3cret');
});

it('10000 keys are taken, and not one more', async () => {
  const keys = Array.from({ length: 9_998 }, (_unused, index) => `"k${index}":${index}`).join();
  const detail = 'the body must not have more than 10000 keys';

  const taken = await ask(api.url, EXECUTE, { raw: `{"input":"x","options":{${keys}}}` });
  const refused = await ask(api.url, EXECUTE, { raw: `{"input":"x","options":{${keys},"one":1}}` });

  expect(taken.status).toBe(202);
  expectProblem(refused, { status: 400, code: 'JSON_TOO_MANY_KEYS', detail, places: ['pointer #'] });
});

it('twenty faults are named, however many there are', async () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_unused, index) => [`f${index}`, 1]));
  const places = Array.from({ length: 20 }, (_unused, index) => `pointer #/f${index}`);
  const detail = 'f0: is not a known field';

  const answer = await ask(api.url, EXECUTE, { json: { input: 'x', ...fields } });

  expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail, places });
});

it('64 levels are taken', async () => {
  const answer = await ask(api.url, EXECUTE, { raw: nested(64) });

  expect(answer.status).toBe(202);
});

it('a byte more than 1 MiB is too much, for any content', async () => {
  const detail = 'the body must be at most 1048576 bytes (1 MiB); at /api/mcp-servers/ it may be 25165824';

  const answer = await ask(api.url, EXECUTE, { raw: 'x'.repeat(MIB + 1) });

  expectProblem(answer, { status: 413, code: 'BODY_TOO_LARGE', detail });
});

it('1 MiB is read', async () => {
  const answer = await ask(api.url, EXECUTE, { raw: 'x'.repeat(MIB) });

  expectProblem(answer, { status: 400, code: 'INVALID_JSON', detail: NOT_JSON, places: ['pointer #'] });
});

it.each([
  'application/x-www-form-urlencoded',
  'text/plain',
  'multipart/form-data',
  'application/x-thing',
  'json',
])('a body of the type %s is not taken', async (type) => {
  const detail = 'Content-Type must be application/json, or multipart/form-data for a file';

  const answer = await ask(api.url, EXECUTE, { raw: 'input=x', headers: { 'content-type': type } });

  expectProblem(answer, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', detail });
});

it.each<[string, string]>([
  ['application/json', 'gzip'],
  ['application/json', 'br, identity'],
  ['multipart/form-data; boundary=x', 'gzip'],
])('a compressed body of the type %s (%s) is not taken, and says why', async (type, encoding) => {
  const detail = 'the body must not be compressed: omit Content-Encoding';
  const headers = { 'content-type': type, 'content-encoding': encoding };
  const path = type.startsWith('multipart') ? '/api/files/' : EXECUTE;

  const answer = await ask(api.url, path, { raw: '{"input":"x"}', headers });

  expectProblem(answer, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', detail });
});

it('a body that says that it is not encoded is taken', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };

  expect((await ask(api.url, EXECUTE, { raw: '{"input":"x"}', headers })).status).toBe(202);
});

it.each(['application/json; charset=utf-8', 'Application/JSON'])(
  'a body of the type %s is taken',
  async (type) => {
    const answer = await ask(api.url, EXECUTE, { raw: '{"input":"x"}', headers: { 'content-type': type } });

    expect(answer.status).toBe(202);
  },
);

describe('text that PostgreSQL cannot store', () => {
  it('is stored without what it cannot store', async () => {
    const raw = String.raw`{"input":"a\u0000b\ud800","metadata":{"k\u0000":"v\u0000"},"options":{"o":["\udc00"]}}`;

    const answer = await ask(api.url, EXECUTE, { raw });

    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ metadata: { k: 'v' } });
    const [row] = await api.dataSource.query<{ request: unknown }[]>(
      'SELECT request FROM execution WHERE id = $1',
      [answer.body.id],
    );
    expect(row?.request).toMatchObject({ input: 'ab\ufffd', options: { o: ['\ufffd'] } });
  });
});

describe('the request line', () => {
  it.each(['/api/nothing/', '/nothing', '/api/agents//execute/'])('%s is nowhere', async (path) => {
    const answer = await ask(api.url, path, { json: {} });

    expectProblem(answer, { status: 404, code: 'ROUTE_NOT_FOUND', detail: 'the API has no such path' });
  });

  it.each([
    ['PUT', EXECUTE, 'POST'],
    ['GET', EXECUTE, 'POST'],
    ['DELETE', '/api/executions/', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s says which methods there are', async (method, path, allowed) => {
    const detail = 'this path does not support this method; the header Allow lists the supported ones';

    const answer = await ask(api.url, path, { method });

    expectProblem(answer, { status: 405, code: 'METHOD_NOT_ALLOWED', detail });
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  it.each([
    ['that cannot be decoded', '/api/%E0%A4%A/', 400, 'BAD_REQUEST'],
    ['with a part too long', `/api/agents/${'1'.repeat(201)}/`, 414, 'PATH_TOO_LONG'],
  ])('a path %s is a problem too', async (_name, path, status, code) => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    // Written to the socket, because fetch would not send this path.
    socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

    const answer = await text(socket);

    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('content-type: application/problem+json');
    expect(answer).toContain(`"code":"${code}"`);
  });
});

it('a client that breaks off its body is neither an outage nor an error of the server', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const begun = `POST ${EXECUTE} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"inp`;
  const before = api.log.length;
  await new Promise<void>((resolve) => socket.write(begun, () => resolve()));
  // Once the server has answered this later request, it has received the beginning of the first one.
  await ask(api.url, '/api/agents/');
  socket.resetAndDestroy();

  await waitFor(() => api.log.slice(before).some((line) => line.includes('"method":"POST"')), {
    description: 'the request to be logged',
  });
  await ask(api.url, '/api/agents/');
  expect(api.log.slice(before).filter((line) => !line.includes('"level":"info"'))).toEqual([]);
});
