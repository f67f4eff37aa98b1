import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { HOSTILE_HOSTS, HOSTILE_URLS } from '../../support/hostile-addresses.js';
import { insertDatasource } from '../../support/services/insert-datasource.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { waitFor } from '../../support/services/wait-for.js';
import { startApi, type RunningApi } from './api-fixture.js';
import { createKey } from './api-keys.js';
import { expectProblem } from './expect-problem.js';
import { ask, type Answer, type RequestOptions } from './http-client.js';

const PATH = '/api/documents/';
const BOUNDS = {
  DOCUMENT_MAX_BYTES: '2000',
  DOCUMENT_BYTES_PER_TENANT: '2500',
  DOCUMENTS_PER_TENANT: '3',
};

let folder: string;
let database: TestDatabase;
let api: RunningApi;
let own: string;
let stranger: string;
let datasource: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-'));
  database = await createSeededDatabase();
  const settings = { DATABASE_URL: database.url, AUTH: 'api-key', ...BOUNDS };
  api = await startApi({ ...settings, DOCUMENTS_ROOT: folder });
  own = await createKey(api.dataSource, SCOPES);
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
  datasource = await insertDatasource(api.dataSource);
});
beforeEach(async () => {
  await api.dataSource.query('DELETE FROM document');
  await api.dataSource.query('DELETE FROM blob_disposal');
  await rm(join(folder, 'default'), { recursive: true, force: true });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const send = (path: string, options: RequestOptions = {}, key = own, url = api.url): Promise<Answer> =>
  ask(url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const at = ({ body }: Answer): string => `${PATH}${String(body.id)}/`;
const idsOf = ({ body }: Answer): unknown[] => (body.data as { id: string }[]).map(({ id }) => id);
const giveText = (more: object = {}, key = own): Promise<Answer> =>
  send(PATH, { json: { datasource_id: datasource, title: 'Hours', text: 'From nine.', ...more } }, key);

type Part = readonly [name: string, value: string, fileName?: string];

/** Parts in this order; a file has a name. */
async function sendForm(path: string, method: string, parts: readonly Part[], key = own): Promise<Answer> {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (fileName === undefined) form.append(name, value);
    else form.append(name, new Blob([value], { type: 'text/markdown' }), fileName);
  }
  const body = new Response(form);
  const headers = { 'content-type': body.headers.get('content-type') ?? '' };
  return send(path, { method, raw: new Uint8Array(await body.arrayBuffer()), headers }, key);
}
const giveForm = (...parts: readonly Part[]): Promise<Answer> => sendForm(PATH, 'POST', parts);
const putForm = (made: Answer, parts: readonly Part[], key = own): Promise<Answer> =>
  sendForm(`${at(made)}content/`, 'PUT', parts, key);

/** Files of the tenant that are kept, and those that are to be removed. */
async function kept(): Promise<readonly [files: number, disposable: number]> {
  const files = await readdir(join(folder, 'default')).catch(() => []);
  const [row] = await api.dataSource.query<[{ count: number }]>(
    'SELECT count(*)::int AS count FROM blob_disposal',
  );
  return [files.length, row.count];
}

describe('a document', () => {
  it('is given as a file, whose parts come in any order, and is read and listed', async () => {
    const fields = [['datasource_id', String(datasource)]] as const;
    const first = await giveForm(...fields, ['file', '# Rules', 'rules.md']);
    const given = { datasource_id: datasource, title: 'rules.md', source: 'upload', file_name: 'rules.md' };
    expect(first).toMatchObject({
      status: 201,
      body: {
        ...given,
        ...{ media_type: 'text/markdown', size_bytes: 7, kind: null, url: null, state: 'waiting' },
        ...{ progress: { done: 0, total: null }, error_code: null, error_text: null },
        ...{ generation: 1, live_generation: null },
      },
    });
    expect([first.headers.get('location'), first.headers.get('etag')]).toEqual([at(first), '"1"']);
    expect((await send(at(first))).body).toEqual(first.body);

    const second = await giveForm(['file', '# More', 'more.md'], ['title', ' More '], ...fields);
    expect(second).toMatchObject({ status: 201, body: { title: 'More', file_name: 'more.md' } });
    expect((await send(PATH)).body.data).toEqual([first.body, second.body]);
    expect(await kept()).toEqual([2, 0]);
  });

  it('is given as a text', async () => {
    const made = await giveText({ media_type: 'text/markdown' });
    const text = { source: 'text', title: 'Hours', media_type: 'text/markdown', size_bytes: 10 };
    expect(made).toMatchObject({ status: 201, body: { ...text, file_name: null } });
    expect(await giveText({ title: undefined })).toMatchObject({
      status: 201,
      body: { title: 'Untitled', media_type: 'text/plain' },
    });
    expect(await kept()).toEqual([2, 0]);
  });

  it('is given as a URL, which is fetched afterwards', async () => {
    const url = 'https://example.com/rules.pdf';
    const made = await send(PATH, { json: { datasource_id: datasource, url } });
    expect(made).toMatchObject({ status: 201, body: { source: 'url', title: url, url, size_bytes: null } });
  });

  it('has a job as soon as it is given', async () => {
    const { body } = await giveText();
    const dispatched = async () => {
      const [row] = await api.dataSource.query<[{ dispatched_at: Date | null }]>(
        'SELECT dispatched_at FROM document_ingestion WHERE document_id = $1',
        [body.id],
      );
      return row.dispatched_at;
    };
    await waitFor(dispatched, { description: 'the job to be sent' });
  });

  it('is deleted in the version that If-Match names, and its file is to be removed', async () => {
    const made = await giveText();
    const remove = (headers = {}) => send(at(made), { method: 'DELETE', headers });
    expect((await remove({ 'if-match': '"2"' })).status).toBe(412);
    expect((await remove({ 'if-match': '"1"' })).status).toBe(204);
    expect((await send(at(made))).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect(await kept()).toEqual([1, 1]);
  });

  it('is there for its own tenant alone', async () => {
    const made = await giveText();
    const others = await insertDatasource(api.dataSource, { tenantId: 'stranger', name: 'theirs' });
    expect((await send(at(made), {}, stranger)).status).toBe(404);
    expect((await send(at(made), { method: 'DELETE' }, stranger)).status).toBe(404);
    expect(idsOf(await send(PATH, {}, stranger))).toEqual([]);
    expect(idsOf(await send(`${PATH}?datasource_id=${datasource}`, {}, stranger))).toEqual([]);
    const problem = { status: 400, code: 'VALIDATION_ERROR', places: ['pointer #/datasource_id'] };
    const detail = 'datasource_id: must be a datasource of the tenant';
    expectProblem(await giveText({}, stranger), { ...problem, detail });
    expectProblem(await giveText({ datasource_id: others }), { ...problem, detail });
    expect(idsOf(await send(PATH))).toEqual([made.body.id]);
  });
});

/** As a worker does it, in short. */
async function makeReady({ body }: Answer, ...texts: readonly string[]): Promise<void> {
  await api.dataSource.query(
    `WITH live AS (UPDATE document SET live_generation = generation WHERE id = $1 RETURNING *)
     INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count, content_hash, search)
     SELECT tenant_id, datasource_id, id, generation, place - 1, text, '{Rules}', 3, '', ''
       FROM live, unnest($2::text[]) WITH ORDINALITY AS given (text, place)`,
    [body.id, texts],
  );
}

const textsOf = ({ body }: Answer): unknown[] => (body.data as { text: string }[]).map(({ text }) => text);

describe('the content of a document', () => {
  it('is downloaded byte for byte, as an attachment that no browser takes for anything else', async () => {
    const made = await giveForm(
      ['datasource_id', String(datasource)],
      ['file', '<script>alert("Grüße")</script>', 'a "b".html'],
    );
    const answer = await send(`${at(made)}content/`);
    expect([answer.status, answer.text]).toEqual([200, '<script>alert("Grüße")</script>']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''a%20.*b.*\.html$/),
      'x-content-type-options': 'nosniff',
      'content-length': '33',
      'content-security-policy': expect.stringContaining(`default-src 'none'`),
    });
    const text = await send(`${at(await giveText())}content/`);
    expect([text.text, text.headers.get('content-disposition')]).toEqual([
      'From nine.',
      `attachment; filename*=UTF-8''Hours`,
    ]);
  });

  it('that is not fetched yet, or is gone, is not there', async () => {
    const detail = 'The original of the document is not kept, or not fetched yet';
    const missing = { status: 404, code: 'NOT_FOUND', detail };
    const url = 'https://example.com/rules.pdf';
    const made = await send(PATH, { json: { datasource_id: datasource, url } });
    expectProblem(await send(`${at(made)}content/`), missing);
    const lost = await giveText();
    await rm(join(folder, 'default'), { recursive: true });
    expectProblem(await send(`${at(lost)}content/`), missing);
  });

  it('is replaced, by anything, in the version that If-Match names; what is searched stays until then', async () => {
    const made = await giveText();
    await makeReady(made, 'From nine.');
    const byForm = await putForm(made, [['file', '# Hours', 'hours.md']]);
    expect(byForm).toMatchObject({
      status: 200,
      body: {
        ...{ id: made.body.id, title: 'Hours', source: 'upload', file_name: 'hours.md', state: 'waiting' },
        ...{ generation: 2, live_generation: 1 },
      },
    });
    expect(byForm.headers.get('etag')).toBe('"2"');
    expect((await send(`${at(made)}content/`)).text).toBe('# Hours');
    expect(textsOf(await send(`${at(made)}chunks/`))).toEqual(['From nine.']);

    const put = (json: object, headers = {}) => send(`${at(made)}content/`, { method: 'PUT', json, headers });
    expect((await put({ text: 'x' }, { 'if-match': '"1"' })).status).toBe(412);
    expect(await put({ title: 'Times', text: 'x' }, { 'if-match': '"2"' })).toMatchObject({
      status: 200,
      body: { title: 'Times', source: 'text', generation: 3 },
    });
    expect(await put({ url: 'https://example.com/a' })).toMatchObject({
      status: 200,
      body: { source: 'url' },
    });
    expect((await put({ url: 'http://127.0.0.1/' })).status).toBe(400);
    // Of two that were given up, and of the one that was refused; that of what is searched stays.
    expect(await kept()).toEqual([3, 3]);
  });

  it('is out of reach for another tenant', async () => {
    const made = await giveText();
    await makeReady(made, 'From nine.');
    for (const part of ['content', 'chunks'])
      expect((await send(`${at(made)}${part}/`, {}, stranger)).status).toBe(404);
    expect((await putForm(made, [['file', 'x', 'a.txt']], stranger)).status).toBe(404);
    expect(await send(at(made))).toMatchObject({ body: { generation: 1 } });
    expect(await readdir(join(folder, 'stranger'))).toEqual([]);
  });
});

it('the chunks of a document that are searched are listed in their order, in pages', async () => {
  const made = await giveText();
  expect(textsOf(await send(`${at(made)}chunks/`))).toEqual([]);
  await makeReady(made, 'a', 'b', 'c');
  const page = await send(`${at(made)}chunks/?limit=2`);
  expect(page.body.data).toMatchObject([
    { ordinal: 0, text: 'a', headings: ['Rules'], page: null, token_count: 3 },
    { ordinal: 1, text: 'b' },
  ]);
  const cursor = String(page.body.next_cursor);
  expect(textsOf(await send(`${at(made)}chunks/?limit=2&cursor=${cursor}`))).toEqual(['c']);
});

it('documents are listed by datasource and state, in pages', async () => {
  const other = await insertDatasource(api.dataSource, { name: 'other' });
  const [first, second, third] = [
    await giveText(),
    await giveText({ datasource_id: other }),
    await giveText(),
  ];
  await api.dataSource.query(`UPDATE document_ingestion SET state = 'ready' WHERE document_id = $1`, [
    third.body.id,
  ]);
  const ids = async (query: string) => idsOf(await send(`${PATH}?${query}`));
  expect(await ids(`datasource_id=${datasource}`)).toEqual([first.body.id, third.body.id]);
  expect(await ids('state=ready')).toEqual([third.body.id]);
  expect(await ids(`state=ready,waiting&datasource_id=${other}`)).toEqual([second.body.id]);
  expect((await send(`${PATH}?state=eaten`)).status).toBe(400);

  const page = await send(`${PATH}?limit=2`);
  expect(idsOf(page)).toEqual([first.body.id, second.body.id]);
  expect(await ids(`limit=2&cursor=${String(page.body.next_cursor)}`)).toEqual([third.body.id]);
});

describe('what is given', () => {
  it.each<[what: string, json: object, place: string, detail: string]>([
    ['nothing', {}, '#', 'the body must have either text or url'],
    ['two things', { text: 'a', url: 'https://a.example' }, '#', 'the body must have either text or url'],
    ['an empty text', { text: '' }, '#/text', 'text: must not be empty'],
    ['a file by its path', { url: 'file:///etc/passwd' }, '#/url', 'url: must be an http or https URL'],
    [
      'a type beside a URL',
      { url: 'https://a.example', media_type: 'text/html' },
      '#/media_type',
      'media_type: goes with text alone',
    ],
  ])('as %s is refused', async (_what, json, place, detail) => {
    const answer = await send(PATH, { json: { datasource_id: datasource, ...json } });
    expectProblem(answer, {
      ...{ status: 400, code: 'VALIDATION_ERROR', detail },
      places: [`pointer ${place}`],
    });
  });

  const hostile = [...HOSTILE_HOSTS.map((host) => `http://${host}/rules.pdf`), ...HOSTILE_URLS];
  it.each(hostile)('as the URL %s is refused at this door', async (url) => {
    const answer = await send(PATH, { json: { datasource_id: datasource, url } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: '#/url' }]);
    expect(idsOf(await send(PATH))).toEqual([]);
  });

  it('as a form that is wrong is refused by field, and nothing of it is kept', async () => {
    const file = ['file', 'x', 'a.txt'] as const;
    const detail = 'datasource_id: is required';
    const problem = { status: 400, code: 'VALIDATION_ERROR', places: ['pointer #/datasource_id'] };
    expectProblem(await giveForm(file), { ...problem, detail });
    const wrong = await giveForm(file, ['datasource_id', 'x']);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/datasource_id' }] } });
    const late = await giveForm(file, ['colour', 'red']);
    expect(late).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/colour' }] } });
    expect((await kept())[0]).toBe(0);
  });

  it('as too long a file is refused, and nothing of it is kept', async () => {
    const form = (length: number) =>
      giveForm(['datasource_id', String(datasource)], ['file', 'x'.repeat(length), 'a.txt']);
    const tooLong = { status: 413, code: 'BODY_TOO_LARGE', detail: 'file: must be at most 2000 bytes' };
    expectProblem(await form(2_001), { ...tooLong, places: ['pointer #/file'] });
    expect((await kept())[0]).toBe(0);
    expect((await form(2_000)).status).toBe(201);
  });

  it('beyond what a tenant may keep is refused, and nothing of it is kept', async () => {
    const code = 'KNOWLEDGE_QUOTA_EXCEEDED';
    expect((await giveText({ text: 'x'.repeat(2_000) })).status).toBe(201);
    const bytes = await giveText({ text: 'x'.repeat(501) });
    const detail = 'the tenant has as many bytes of documents as it may; remove some';
    expectProblem(bytes, { status: 413, code, detail });
    expect([(await giveText()).status, (await giveText()).status]).toEqual([201, 201]);
    const many = await giveText();
    expectProblem(many, {
      ...{ status: 429, code, detail: 'the tenant has as many documents as it may; remove some' },
    });
    expect((await kept())[0]).toBe(3);
  });
});

it('an installation without a place for originals says so, and lists what there is', async () => {
  const bare = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  try {
    const made = await giveText();
    const refused = {
      ...{ status: 422, code: 'DOCUMENTS_NOT_CONFIGURED' },
      detail: 'documents cannot be kept: this installation has neither DOCUMENTS_ROOT nor S3_BUCKET',
    };
    for (const json of [{ text: 'x' }, { url: 'https://a.example' }]) {
      const body = { json: { datasource_id: datasource, ...json } };
      expectProblem(await send(PATH, body, own, bare.url), refused);
    }
    expect(idsOf(await send(PATH, {}, own, bare.url))).toEqual([made.body.id]);
  } finally {
    await bare.app.close();
  }
});
