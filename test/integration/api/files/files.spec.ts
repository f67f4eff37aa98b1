import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listFilesQuery, SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { sentForm, type Part } from '../sent-form.js';
import { emptyTables } from '../../../support/services/empty-tables.js';

const FILES = '/api/files/';
const BOUNDS = {
  FILE_MAX_BYTES: '2000',
  FILE_BYTES_PER_TENANT: '2500',
  FILES_PER_TENANT: '3',
  FILE_RETENTION_DAYS: '2',
};
const DAY_MS = 86_400_000;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1');

let database: TestDatabase;
let folder: string;
let api: RunningApi;
let [own, stranger]: readonly [string, string] = ['', ''];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-'));
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key', DOCUMENTS_ROOT: folder, ...BOUNDS });
  own = await createKey(api.dataSource, SCOPES);
  stranger = await createKey(api.dataSource, SCOPES, 'stranger');
});
beforeEach(async () => {
  await emptyTables(api.dataSource, 'file', 'blob_disposal');
  await rm(join(folder, 'default'), { recursive: true, force: true });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const send = (path: string, options: RequestOptions = {}, key = own, url = api.url): Promise<Answer> =>
  ask(url, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${key}` } });
const upload = async (...parts: readonly Part[]): Promise<Answer> =>
  send(FILES, await sentForm('POST', parts));
const at = ({ body }: Answer): string => `${FILES}${String(body.id)}/`;
const namesOf = async (query = '', key = own): Promise<unknown[]> => {
  const { body } = await send(`${FILES}${query}`, {}, key);
  return (body.data as { name: string }[]).map(({ name }) => name);
};
/** Number of stored blobs, and number of blobs that await removal. */
const kept = async (): Promise<readonly [number, number]> => {
  const sql = 'SELECT count(*)::int AS count FROM blob_disposal';
  const [row] = await api.dataSource.query<[{ count: number }]>(sql);
  return [(await readdir(join(folder, 'default')).catch(() => [])).length, row.count];
};

describe('a file', () => {
  it('is uploaded, read, and downloaded byte for byte as an attachment of no type', async () => {
    const made = await upload(['file', '<script>alert("Grüße")</script>', 'a "b".html']);
    const bytes = Buffer.from('<script>alert("Grüße")</script>');
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...{
          name: expect.stringMatching(/^a .*b.*\.html$/),
          media_type: 'text/html',
          size_bytes: bytes.length,
        },
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    });
    const { created_at: madeAt, expires_at: endsAt } = made.body;
    expect(Date.parse(String(endsAt)) - Date.parse(String(madeAt))).toBe(2 * DAY_MS);
    expect([made.headers.get('location'), made.headers.get('etag')]).toEqual([at(made), '"1"']);
    expect((await send(at(made))).body).toEqual(made.body);
    const content = await send(`${at(made)}content/`);
    expect([content.status, content.text]).toEqual([200, bytes.toString()]);
    expect(Object.fromEntries(content.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''a%20.*b.*\.html$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining(`default-src 'none'`),
    });
    expect(await kept()).toEqual([1, 0]);
  });

  it('is typed by its bytes under any name, and always has a name', async () => {
    expect(await upload(['file', PNG, 'notes.md'])).toMatchObject({ body: { media_type: 'image/png' } });
    expect(await upload(['file', 'Hello', ' '])).toMatchObject({
      body: { name: 'Unnamed', media_type: 'text/markdown' },
    });
  });

  it('expires when it is said to, within what is allowed', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const file = ['file', 'x', 'a.txt'] as const;
    expect(await upload(['expires_at', soon], file)).toMatchObject({
      status: 201,
      body: { expires_at: soon },
    });
    for (const wrong of ['2001-01-01T00:00:00Z', new Date(Date.now() + 3 * DAY_MS).toISOString(), 'tomorrow'])
      expect(await upload(file, ['expires_at', wrong])).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR', errors: [{ pointer: '#/expires_at' }] },
      });
    expect((await kept())[0]).toBe(1);
  });

  it('answers 404 after it expired', async () => {
    const made = await upload(['file', 'x', 'a.txt']);
    await api.dataSource.query(`UPDATE file SET expires_at = now()`);
    const gone = { status: 404, code: 'NOT_FOUND', detail: 'File not found' };
    expectProblem(await send(at(made)), gone);
    expectProblem(await send(`${at(made)}content/`), gone);
    expectProblem(await send(at(made), { method: 'DELETE' }), gone);
    expect(await namesOf()).toEqual([]);
  });

  it('is deleted in the version that If-Match names', async () => {
    const made = await upload(['file', 'x', 'a.txt']);
    const remove = (headers = {}) => send(at(made), { method: 'DELETE', headers });
    expect((await remove({ 'if-match': '"2"' })).status).toBe(412);
    expect(await namesOf()).toEqual(['a.txt']);
    expect((await remove({ 'if-match': '"1"' })).status).toBe(204);
    expect((await send(at(made))).status).toBe(404);
    expect((await remove()).status).toBe(404);
  });

  it('is there for its own tenant alone', async () => {
    const made = await upload(['file', 'x', 'a.txt']);
    for (const path of [at(made), `${at(made)}content/`])
      expect((await send(path, {}, stranger)).status).toBe(404);
    expect((await send(at(made), { method: 'DELETE' }, stranger)).status).toBe(404);
    expect(await namesOf('', stranger)).toEqual([]);
    expect(await namesOf()).toEqual(['a.txt']);
  });

  it('is reported as gone when its bytes are lost', async () => {
    const made = await upload(['file', 'x', 'a.txt']);
    await rm(join(folder, 'default'), { recursive: true });
    expect((await send(`${at(made)}content/`)).status).toBe(404);
  });
});

it('files are listed by type and time, in pages', async () => {
  for (const [name, bytes] of [
    ['a.txt', 'a'],
    ['b', PNG],
    ['c.txt', 'c'],
  ] as const)
    await upload(['file', bytes, name]);
  expect(await namesOf('?media_type=image/png')).toEqual(['b']);
  expect(await namesOf('?media_type=text/plain&limit=1')).toEqual(['a.txt']);
  expect(await namesOf('?to=2001-01-01')).toEqual([]);
  expect(await namesOf('?from=2001-01-01')).toEqual(['a.txt', 'b', 'c.txt']);
  const page = await send(`${FILES}?limit=2`);
  expect(await namesOf(`?cursor=${String(page.body.next_cursor)}`)).toEqual(['c.txt']);
});

it.each([
  ['of all', {}, 'file_tenant_idx'],
  ['of a type that there is not', { mediaType: 'image/gif' }, 'file_media_type_idx'],
])('the list %s reads what an index finds, among many', async (_name, filter, index) => {
  await api.dataSource.query(`
    INSERT INTO file (id, tenant_id, name, media_type, size_bytes, content_hash, blob_key, expires_at)
    SELECT gen_random_uuid(), CASE WHEN n % 100 < 4 THEN 'default' ELSE 'stranger' END, 'n', 'text/plain', 1, '', n::text,
           now() + interval '1 day' FROM generate_series(1, 20000) n`);
  await api.dataSource.query('ANALYZE file');
  const { select, parameters } = listFilesQuery('default', filter);
  const rows = await api.dataSource.query<{ 'QUERY PLAN': string }[]>(
    `EXPLAIN ${select} ORDER BY id LIMIT 21`,
    [...parameters],
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain(index);
  expect(plan).not.toContain('Seq Scan');
});

describe('an upload', () => {
  it.each<[string, readonly Part[], string, string]>([
    ['without a file', [['expires_at', '2999-01-01T00:00:00Z']], '#/file', 'file: is required'],
    ['with an empty file', [['file', '', 'a.txt']], '#/file', 'file: must not be empty'],
    [
      'with two files',
      [
        ['file', 'a', 'a'],
        ['file', 'b', 'b'],
      ],
      '#/file',
      'file: must be given once',
    ],
    [
      'with a field too many',
      [
        ['file', 'a', 'a'],
        ['colour', 'red'],
      ],
      '#/colour',
      'colour: is not a known field',
    ],
    ['with a text as a file', [['file', 'a']], '#/file', 'file: must be a file, with a filename'],
  ])('%s is refused by field, and nothing of it is kept', async (_what, parts, pointer, detail) => {
    const problem = { status: 400, code: 'VALIDATION_ERROR', detail, places: [`pointer ${pointer}`] };
    expectProblem(await upload(...parts), problem);
    expect([(await kept())[0], await namesOf()]).toEqual([0, []]);
  });

  it('is refused when it is too long, and nothing of it is stored', async () => {
    const detail = 'file: must be at most 2000 bytes';
    const tooLong = { status: 413, code: 'BODY_TOO_LARGE', detail, places: ['pointer #/file'] };
    expectProblem(await upload(['file', 'x'.repeat(2_001), 'a']), tooLong);
    expect((await kept())[0]).toBe(0);
    expect((await upload(['file', 'x'.repeat(2_000), 'a'])).status).toBe(201);
  });

  it('is refused when it is no form', async () => {
    for (const options of [{ json: { file: 'x' } }, { method: 'POST' }])
      expect((await send(FILES, options)).status).toBe(415);
  });

  it('beyond what a tenant may keep is refused, and what is deleted leaves room', async () => {
    const code = 'FILE_QUOTA_EXCEEDED';
    const long = await upload(['file', 'x'.repeat(2_000), 'a']);
    const bytes = {
      status: 413,
      code,
      detail: 'the tenant has reached its maximum of bytes of files; delete some',
    };
    expectProblem(await upload(['file', 'x'.repeat(501), 'b']), bytes);
    for (const name of ['b', 'c']) expect((await upload(['file', 'x', name])).status).toBe(201);
    const many = { status: 429, code, detail: 'the tenant has reached its maximum of files; delete some' };
    expectProblem(await upload(['file', 'x', 'd']), many);
    expect((await kept())[0]).toBe(3);
    expect((await send(at(long), { method: 'DELETE' })).status).toBe(204);
    expect((await upload(['file', 'x'.repeat(501), 'd'])).status).toBe(201);
  });

  it('at the same time as others stays within it', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => upload(['file', 'x', `${n}`])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 429, 429]);
  });
});

it('an installation without a place for files says so', async () => {
  const bare = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  try {
    const made = await upload(['file', 'x', 'a.txt']);
    const detail = 'files cannot be stored: neither DOCUMENTS_ROOT nor S3_BUCKET is set';
    const refused = { status: 422, code: 'FILES_NOT_CONFIGURED', detail };
    expectProblem(await send(FILES, await sentForm('POST', [['file', 'x', 'a']]), own, bare.url), refused);
    expectProblem(await send(`${at(made)}content/`, {}, own, bare.url), refused);
    expect((await send(at(made), {}, own, bare.url)).status).toBe(200);
  } finally {
    await bare.app.close();
  }
});
