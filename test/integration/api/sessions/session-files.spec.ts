import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { v7 as uuid } from 'uuid';
import { emptyTables } from '../../../support/services/empty-tables.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { sentForm } from '../sent-form.js';

const FILE_MISSING = { status: 404, code: 'NOT_FOUND', detail: 'File not found' };
const SESSION_MISSING = { status: 404, code: 'NOT_FOUND', detail: 'Session not found' };

let database: TestDatabase;
let api: RunningApi;
let session: string;
let [own, stranger]: readonly [string, string] = ['', ''];

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  own = await createKey(api.dataSource, SCOPES);
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
});
beforeEach(async () => {
  await emptyTables(api.dataSource, 'workspace_file');
  session = uuid();
  const sql = `INSERT INTO chat_session (id, tenant_id) VALUES ($1, 'default')`;
  await api.dataSource.query(sql, [session]);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const at = (path = '', id = session): string =>
  `/api/sessions/${id}/files/${path === '' ? '' : `${encodeURIComponent(path)}/`}`;
const send = (path: string, options: RequestOptions = {}, key = own): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const put = async (
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  { id = session, key = own, conditions = {} } = {},
): Promise<Answer> => {
  const { headers, ...form } = await sentForm('PUT', [['file', content, 'ignored.txt']]);
  return send(at(path, id), { ...form, headers: { ...headers, ...conditions } }, key);
};

describe('the files of a session', () => {
  it('are written, listed, downloaded byte for byte, replaced and deleted', async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const made = await put('reports/注文.bin', bytes);
    const file = { path: 'reports/注文.bin', size_bytes: 4, sha256 };
    expect(made).toMatchObject({ status: 201, body: file });
    expect(await put('a.txt', '')).toMatchObject({ status: 201, body: { size_bytes: 0 } });
    expect((await send(at())).body).toMatchObject({ data: [{ path: 'a.txt' }, file], has_more: false });
    const first = await send(`${at()}?limit=1`);
    const next = await send(`${at()}?limit=1&cursor=${String(first.body.next_cursor)}`);
    expect(next.body).toMatchObject({ data: [file], has_more: false });

    const read = await fetch(new URL(at('reports/注文.bin'), api.url), {
      headers: { authorization: `Bearer ${own}` },
    });
    expect(Buffer.from(await read.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('注文.bin')}`,
      'x-content-type-options': 'nosniff',
    });

    expect(await put('a.txt', 'two')).toMatchObject({ status: 200, body: { size_bytes: 3 } });
    expect((await send(at('a.txt'))).text).toBe('two');
    expect((await send(at('a.txt'), { method: 'DELETE' })).status).toBe(204);
    expectProblem(await send(at('a.txt')), FILE_MISSING);
    expectProblem(await send(at('a.txt'), { method: 'DELETE' }), FILE_MISSING);
  });

  it('are changed only as they were read', async () => {
    const made = await put('a.txt', 'one');
    const tag = made.headers.get('etag') ?? '';
    expect(tag).toBe(`"${createHash('sha256').update('one').digest('hex')}"`);
    expect((await send(at('a.txt'))).headers.get('etag')).toBe(tag);
    const unchanged = await send(at('a.txt'), { headers: { 'if-none-match': tag } });
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', tag]);
    expect((await send(at('a.txt'), { headers: { 'if-none-match': '"other"' } })).text).toBe('one');
    const putIf = async (content: string, match: string) =>
      put('a.txt', content, { conditions: { 'if-match': match } });
    expect((await putIf('two', tag)).status).toBe(200);
    const changed = {
      ...{ status: 412, code: 'VERSION_CHANGED' },
      detail: 'the resource has changed since the version of If-Match; read it again',
    };
    expectProblem(await putIf('three', tag), changed);
    expectProblem(await send(at('a.txt'), { method: 'DELETE', headers: { 'if-match': tag } }), changed);
    expect((await send(at('a.txt'))).text).toBe('two');
    expect((await putIf('three', '*')).status).toBe(200);
    expect((await putIf('four', 'two')).status).toBe(400);
    const now = (await send(at('a.txt'))).headers.get('etag') ?? '';
    expect((await send(at('a.txt'), { method: 'DELETE', headers: { 'if-match': now } })).status).toBe(204);
    expectProblem(await putIf('five', now), changed);
    expectProblem(await putIf('six', '*'), {
      ...{ status: 412, code: 'VERSION_CHANGED' },
      detail: 'there is no file of this path, and If-Match asks for one; leave it out to write a new file',
    });
    // Without a condition the answer is 404, so the condition does not count (RFC 9110, 13.2.1).
    const none = await send(at('a.txt'), { method: 'DELETE', headers: { 'if-match': '*' } });
    expectProblem(none, FILE_MISSING);
    await put('a.txt', 'one');
    expect((await send(at('a.txt'), { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(204);
  });

  it('are written as new ones only where there is none', async () => {
    const conditions = { 'if-none-match': '*' };
    const taken = {
      ...{ status: 412, code: 'VERSION_CHANGED' },
      detail:
        'there is a file of this path, and If-None-Match asks for none; send its ETag as If-Match to change it',
    };
    const contents = ['one', 'two', 'three'];
    const all = await Promise.all(contents.map((content) => put('a.txt', content, { conditions })));
    const statuses = all.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, 412, 412]);
    all.filter(({ status }) => status === 412).forEach((answer) => expectProblem(answer, taken));
    expect((await send(at('a.txt'))).text).toBe(contents[statuses.indexOf(201)]);
    expectProblem(await send(at('a.txt'), { method: 'DELETE', headers: conditions }), taken);
    expectProblem(await send(at('b.txt'), { method: 'DELETE', headers: conditions }), FILE_MISSING);
    for (const more of [{ 'if-none-match': '"x"' }, { ...conditions, 'if-match': '*' }])
      expectProblem(await put('b.txt', 'x', { conditions: more }), {
        ...{ status: 400, code: 'VALIDATION_ERROR', places: ['header If-None-Match'] },
        detail: 'If-None-Match: must be *, for no file, and without If-Match',
      });
    expect((await send(at('b.txt'))).status).toBe(404);
  });

  it('belong to their tenant alone', async () => {
    await put('a.txt', 'mine');
    expectProblem(await send(at(), {}, stranger), SESSION_MISSING);
    expectProblem(await send(at('a.txt'), {}, stranger), FILE_MISSING);
    expectProblem(await put('a.txt', 'theirs', { key: stranger }), SESSION_MISSING);
    expectProblem(await send(at('a.txt'), { method: 'DELETE' }, stranger), FILE_MISSING);
    expect((await send(at('a.txt'))).text).toBe('mine');
    expectProblem(await send(at('', uuid())), SESSION_MISSING);
    expectProblem(await put('a.txt', 'x', { id: uuid() }), SESSION_MISSING);
  });

  it('are read and written by keys of these scopes alone', async () => {
    const reader = await createKey(api.dataSource, ['executions:read']);
    expect((await send(at(), {}, reader)).status).toBe(200);
    expect((await put('a.txt', 'x', { key: reader })).status).toBe(403);
    expect((await send(at('a.txt'), { method: 'DELETE' }, reader)).status).toBe(403);
  });
});

describe('a file of a session is refused', () => {
  it.each([
    ['a way up', '../a.txt', 'must be a relative path'],
    ['a way up and down', 'a/../../b', 'must be a relative path'],
    ['an absolute path', '/etc/passwd', 'must be a relative path'],
    ['an empty part', 'a//b', 'must be a relative path'],
    ['NUL', 'a\0b', 'must not have a backslash'],
    ['a backslash', '..\\a.txt', 'must not have a backslash'],
    ['a turned direction', 'a\u202egnp.txt', 'must not have a backslash'],
    ['a decomposed letter', 'e\u0301', 'must be in the Unicode form NFC'],
  ])('with %s in its path, at every method', async (_name, path, words) => {
    const answers = [await put(path, 'x'), await send(at(path)), await send(at(path), { method: 'DELETE' })];
    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ parameter: 'path', detail: expect.stringContaining(words) }],
      });
    }
    expect((await send(at())).body).toMatchObject({ data: [] });
  });

  it('with a path of 101 or 201 characters, or bytes that are no text', async () => {
    expect((await put('x'.repeat(100), 'x')).status).toBe(201);
    expect((await put('x'.repeat(101), 'x')).status).toBe(400);
    expect((await put('x'.repeat(201), 'x')).status).toBe(414);
    const broken = await sentForm('PUT', [['file', 'x', 'a']]);
    expect((await send(`/api/sessions/${session}/files/%C0%AE/`, broken)).status).toBe(400);
  });

  it('under a file, or in the place of a folder', async () => {
    await put('a/b.txt', 'x');
    const detail = 'path: is a folder of other files, or lies under a file';
    for (const path of ['a', 'a/b.txt/c'])
      expectProblem(await put(path, 'x'), {
        ...{ status: 400, code: 'VALIDATION_ERROR', detail, places: ['parameter path'] },
      });
  });

  it('beyond the limits, and nothing changes', async () => {
    await put('a.txt', 'x');
    const tooLong = await put('a.txt', new Uint8Array(1_048_577));
    expect(tooLong).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect((await send(at('a.txt'))).text).toBe('x');
    expect((await put('a.txt', new Uint8Array(1_048_576))).status).toBe(200);
    await api.dataSource.query(
      `INSERT INTO workspace_file (session_id, path, tenant_id, size_bytes, content_hash, content)
       SELECT $1, 'f' || number, 'default', 0, ''::bytea, ''::bytea FROM generate_series(1, 199) AS number`,
      [session],
    );
    expectProblem(await put('b.txt', 'x'), {
      status: 429,
      code: 'FILE_QUOTA_EXCEEDED',
      detail: 'the session has reached its maximum of 200 files; delete some',
    });
    await api.dataSource.query(`UPDATE workspace_file SET size_bytes = 1048576 WHERE path LIKE 'f1_'`);
    await api.dataSource.query(`UPDATE workspace_file SET size_bytes = 5242880 WHERE path = 'f1'`);
    expectProblem(await put('f2', 'xx'), {
      status: 413,
      code: 'FILE_QUOTA_EXCEEDED',
      detail: 'the session has reached its maximum of 16777216 bytes of files; delete some',
    });
  });

  it('beyond the maximum of the tenant in all sessions', async () => {
    await put('a.txt', 'x');
    const other = uuid();
    await api.dataSource.query(`INSERT INTO chat_session (id, tenant_id) VALUES ($1, 'default')`, [other]);
    await api.dataSource.query('UPDATE workspace_file SET size_bytes = 1073741820');
    expectProblem(await put('b.txt', 'too long', { id: other }), {
      ...{ status: 413, code: 'FILE_QUOTA_EXCEEDED' },
      detail: 'the tenant has reached its maximum of 1073741824 bytes of files in sessions; delete some',
    });
    expect((await put('b.txt', 'fits', { id: other })).status).toBe(201);
  });

  it('as anything but a form with one file', async () => {
    expect((await send(at('a'), { method: 'PUT', json: { file: 'x' } })).status).toBe(415);
    const more = await sentForm('PUT', [
      ['file', 'x', 'a'],
      ['path', 'b'],
    ]);
    expect((await send(at('a'), more)).status).toBe(400);
  });
});
