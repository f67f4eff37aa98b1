import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { sentForm } from '../sent-form.js';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const PROGRAM = Buffer.from('\x7fELF\x02\x00', 'latin1');

let database: TestDatabase;
let folder: string;
let api: RunningApi;
let [own, stranger]: readonly [string, string] = ['', ''];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attached-'));
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', DOCUMENTS_ROOT: folder });
  own = await createKey(api.dataSource, SCOPES);
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const send = (path: string, options: RequestOptions = {}, key = own): Promise<Answer> =>
  ask(api.url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const upload = async (name: string, bytes: string | Buffer, key = own) => {
  const form = await sentForm('POST', [
    ['file', typeof bytes === 'string' ? bytes : new Uint8Array(bytes), name],
  ]);
  return (await send('/api/files/', form, key)).body;
};
const submit = (attachments: unknown, options: object = {}, headers = {}) =>
  send('/api/agents/1/execute/', {
    json: { input: 'What is it?', options, additional_data: { attachments } },
    headers,
  });
const keptOf = async ({ body }: Answer): Promise<unknown> => {
  const sql = `SELECT request -> 'additional_data' -> 'attachments' AS kept FROM execution WHERE id = $1`;
  const [row] = await api.dataSource.query<[{ kept: unknown }]>(sql, [body.id]);
  return row.kept;
};
const place = (at: number, field = '') => `pointer #/additional_data/attachments/${at}${field}`;
const GONE = 'additional_data.attachments.0.id: must be an existing file of the tenant';

describe('files that come with a request', () => {
  it('are named as their upload answered, or by id, and kept as the service knows them (S2-22)', async () => {
    const [first, second] = [await upload('a.txt', 'Hello'), await upload('b.md', '# Hi')];
    const answer = await submit([{ ...first, name: 'forged', media_type: 'image/png' }, { id: second.id }]);
    expect(answer.status).toBe(202);
    const { created_at: _a, expires_at: _b, ...known } = first;
    expect(await keptOf(answer)).toEqual([
      known,
      { id: second.id, name: 'b.md', media_type: 'text/markdown', size_bytes: 4, sha256: second.sha256 },
    ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['that there is not', () => Promise.resolve('01999999-9999-7999-8999-999999999999')],
    ['of another tenant', async () => (await upload('a.txt', 'x', stranger)).id],
    [
      'that was deleted',
      async () => {
        const { id } = await upload('a.txt', 'x');
        await send(`/api/files/${String(id)}/`, { method: 'DELETE' });
        return id;
      },
    ],
    [
      'that has expired',
      async () => {
        const { id } = await upload('a.txt', 'x');
        await api.dataSource.query('UPDATE file SET expires_at = now() WHERE id = $1', [id]);
        return id;
      },
    ],
  ])('are refused by place: one %s', async (_which, idOf) => {
    const answer = await submit([{ id: await idOf() }]);
    expectProblem(answer, { status: 400, code: 'VALIDATION_ERROR', detail: GONE, places: [place(0, '/id')] });
  });

  it.each<[string, unknown, string]>([
    ['no list', 'a.txt', ''],
    ['no id', [{ name: 'a.txt' }], '/0/id'],
    ['an id that is none', [{ id: '../../etc/passwd' }], '/0/id'],
    ['a field too many', [{ id: '01999999-9999-7999-8999-999999999999', path: '/etc' }], '/0/path'],
    ['too many', Array.from({ length: 11 }, (_, n) => ({ id: `01999999-9999-7999-8999-${n + 1e11}` })), ''],
  ])('are refused by place: %s', async (_what, attachments, at) => {
    const answer = await submit(attachments);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.errors).toMatchObject([{ pointer: `#/additional_data/attachments${at}` }]);
  });

  it('are refused where one is named twice', async () => {
    const { id } = await upload('a.txt', 'x');
    const answer = await submit([{ id }, { id: String(id).toUpperCase() }]);
    expect(answer.body.errors).toMatchObject([
      { pointer: '#/additional_data/attachments', detail: 'must name each file once' },
    ]);
  });

  it('are refused where they are too large together', async () => {
    const files = [await upload('a.txt', 'x'), await upload('b.txt', 'y')];
    const sql = 'UPDATE file SET size_bytes = 10485761 WHERE id = ANY($1)';
    await api.dataSource.query(sql, [files.map(({ id }) => id)]);
    const answer = await submit(files.map(({ id }) => ({ id })));
    expectProblem(answer, {
      ...{ status: 400, code: 'VALIDATION_ERROR', places: ['pointer #/additional_data/attachments'] },
      detail: 'additional_data.attachments: must have at most 20971520 bytes together',
    });
  });

  it('are refused where the model reads nothing of the kind, as its configuration, agent and request say', async () => {
    const image = await upload('a.png', PNG);
    const program = await upload('a.exe', PROGRAM);
    const attachments = [{ id: image.id }];
    const unread = (type: string, at: number) => ({
      ...{ status: 400, code: 'VALIDATION_ERROR', places: [place(at)] },
      detail: `additional_data.attachments.${at}: is of a type that the model does not read: ${type}`,
    });
    expectProblem(await submit(attachments, { native_media: [] }), unread('image/png', 0));
    expect((await submit(attachments, { native_media: ['image'] })).status).toBe(202);
    expectProblem(
      await submit([...attachments, { id: program.id }], { native_media: ['image', 'pdf'] }),
      unread('application/octet-stream', 1),
    );
    expect((await submit(attachments, { native_media: ['sound'] })).body.errors).toMatchObject([
      { pointer: expect.stringContaining('#/options/native_media') },
    ]);
  });

  it('are refused where an agent of steps is asked: none of them would read it', async () => {
    const [agent] = await api.dataSource.query<[{ id: number }]>(
      `INSERT INTO agent (tenant_id, name, usecase_type, llm_id, config)
       VALUES ('default', 'Steps', 'CUSTOM', 1, $1) RETURNING id`,
      [JSON.stringify({ steps: [{ name: 'say', type: 'llm', prompt: 'Say it.' }] })],
    );
    const { id } = await upload('a.txt', 'x');
    const json = { input: 'What is it?', additional_data: { attachments: [{ id }] } };
    const answer = await send(`/api/agents/${agent.id}/execute/`, { json });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: '#/additional_data/attachments/0' }]);
  });

  it('are taken by an agent of steps one of which reads them, and refused where its model does not (S2-22)', async () => {
    const steps = [{ name: 'say', kind: 'llm', prompt: 'Say it.', attachments: true }];
    const agent = await send('/api/agents/', {
      json: { name: 'Reads', usecase_type: 'CUSTOM', llm: 1, config: { steps, native_media: [] } },
    });
    const ask = (id: unknown) =>
      send(`/api/agents/${String(agent.body.id)}/execute/`, {
        json: { input: 'What is it?', additional_data: { attachments: [{ id }] } },
      });
    expect((await ask((await upload('a.txt', 'x')).id)).status).toBe(202);
    const picture = await ask((await upload('a.png', Buffer.from('\x89PNG\r\n\x1a\n x', 'latin1'))).id);
    expect(picture.body.errors).toMatchObject([
      { pointer: '#/additional_data/attachments/0', detail: expect.stringContaining('image/png') },
    ]);
  });

  it('do not block a repeated request when they are gone', async () => {
    const { id } = await upload('a.txt', 'x');
    const headers = { 'idempotency-key': 'with-a-file' };
    const first = await submit([{ id }], {}, headers);
    await send(`/api/files/${String(id)}/`, { method: 'DELETE' });
    const again = await submit([{ id }], {}, headers);
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await submit([{ id }], {}, { 'idempotency-key': 'another' })).status).toBe(400);
  });

  it('block a retry of the execution when they are gone', async () => {
    const { id } = await upload('a.txt', 'x');
    const { body } = await submit([{ id }]);
    const execution = `/api/executions/${String(body.id)}/`;
    expect((await send(`${execution}cancel/`, { method: 'POST' })).status).toBeLessThan(300);
    expect((await send(`${execution}retry/`, { json: {} })).status).toBe(202);
    await send(`/api/files/${String(id)}/`, { method: 'DELETE' });
    expectProblem(await send(`${execution}retry/`, { json: {} }), {
      ...{ status: 422, code: 'ATTACHMENT_LOST' },
      detail: 'An attached file no longer exists: upload it again, and submit the request again',
    });
  });
});

it('no request may say what a provider said of an answer', async () => {
  const json = { input: 'What?', additional_data: { openaiFileAnnotations: [] } };
  expect((await send('/api/agents/1/execute/', { json })).status).toBe(400);
});
