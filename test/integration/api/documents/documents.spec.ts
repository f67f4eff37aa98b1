import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOSTILE_HOSTS, HOSTILE_URLS } from '../../../support/hostile-addresses.js';
import { insertDatasource } from '../../../support/services/insert-datasource.js';
import { waitFor } from '../../../support/services/wait-for.js';
import { startApi } from '../api-fixture.js';
import { at, DOCUMENTS, DocumentsApi } from '../documents-api.js';
import { expectProblem } from '../expect-problem.js';
import type { Answer } from '../http-client.js';

let documents: DocumentsApi;
beforeAll(async () => {
  documents = await DocumentsApi.open();
});
beforeEach(() => documents.reset());
afterAll(() => documents.close());

const idsOf = ({ body }: Answer): unknown[] => (body.data as { id: string }[]).map(({ id }) => id);
describe('a document', () => {
  it('is given as a file, whose parts come in any order, and is read and listed', async () => {
    const fields = [['datasource_id', String(documents.datasource)]] as const;
    const first = await documents.giveForm(...fields, ['file', '# Rules', 'rules.md']);
    const given = {
      datasource_id: documents.datasource,
      title: 'rules.md',
      source: 'upload',
      file_name: 'rules.md',
    };
    expect(first).toMatchObject({
      status: 201,
      body: {
        ...given,
        ...{ media_type: 'text/markdown', size_bytes: 7, kind: null, url: null, state: 'waiting' },
        ...{ progress: { done: 0, total: null }, error_code: null, error_text: null },
        ...{ last_error: null, generation: 1, live_generation: null },
      },
    });
    expect([first.headers.get('location'), first.headers.get('etag')]).toEqual([at(first), '"1"']);
    expect((await documents.send(at(first))).body).toEqual(first.body);

    const second = await documents.giveForm(['file', '# More', 'more.md'], ['title', ' More '], ...fields);
    expect(second).toMatchObject({ status: 201, body: { title: 'More', file_name: 'more.md' } });
    expect((await documents.send(DOCUMENTS)).body.data).toEqual([first.body, second.body]);
    expect(await documents.kept()).toEqual([2, 0]);
  });

  it('is given as a text', async () => {
    const made = await documents.giveText({ media_type: 'text/markdown' });
    const text = { source: 'text', title: 'Hours', media_type: 'text/markdown', size_bytes: 10 };
    expect(made).toMatchObject({ status: 201, body: { ...text, file_name: null } });
    expect(await documents.giveText({ title: undefined })).toMatchObject({
      status: 201,
      body: { title: 'Untitled', media_type: 'text/plain' },
    });
    expect(await documents.kept()).toEqual([2, 0]);
  });

  it('is given as a URL, which is fetched afterwards', async () => {
    const url = 'https://example.com/rules.pdf';
    const made = await documents.giveUrl(url);
    expect(made).toMatchObject({ status: 201, body: { source: 'url', title: url, url, size_bytes: null } });
  });

  it('has a job as soon as it is given', async () => {
    const { body } = await documents.giveText();
    const dispatched = async () => {
      const [row] = await documents.api.dataSource.query<[{ dispatched_at: Date | null }]>(
        'SELECT dispatched_at FROM document_ingestion WHERE document_id = $1',
        [body.id],
      );
      return row.dispatched_at;
    };
    await waitFor(dispatched, { description: 'the job to be sent' });
  });

  it('says, read and listed, what it waits for', async () => {
    const made = await documents.giveUrl('https://nowhere.example/');
    await documents.api.dataSource.query(
      `UPDATE document_ingestion SET state = 'fetching', tries = 1, error_code = 'DOCUMENT_NOT_FETCHED',
              error_text = 'Nobody answers.', due_at = '2026-05-01T10:00:02Z' WHERE document_id = $1`,
      [made.body.id],
    );
    const { body } = await documents.send(at(made));
    expect(body).toMatchObject({
      ...{ state: 'fetching', error_code: null, error_text: null },
      last_error: {
        ...{ code: 'DOCUMENT_NOT_FETCHED', text: 'Nobody answers.' },
        ...{ tries: 1, next_try_at: '2026-05-01T10:00:02.000Z' },
      },
    });
    expect((await documents.send(DOCUMENTS)).body.data).toEqual([body]);
  });

  it('says, read and listed, which of its text no search finds', async () => {
    const made = await documents.giveText();
    expect(made.body.warnings).toEqual([]);
    const warning = { code: 'no_text_on_page', pages: [3, 7], page_count: 2 };
    await documents.api.dataSource.query(
      `UPDATE document_ingestion SET state = 'ready', warnings = $2 WHERE document_id = $1`,
      [made.body.id, JSON.stringify([warning])],
    );
    const { body } = await documents.send(at(made));
    expect(body).toMatchObject({ state: 'ready', warnings: [warning] });
    expect((await documents.send(DOCUMENTS)).body.data).toEqual([body]);
  });

  it('is deleted in the version that If-Match names, and its file is to be removed', async () => {
    const made = await documents.giveText();
    const remove = (headers = {}) => documents.send(at(made), { method: 'DELETE', headers });
    expect((await remove({ 'if-match': '"2"' })).status).toBe(412);
    expect((await remove({ 'if-match': '"1"' })).status).toBe(204);
    expect((await documents.send(at(made))).status).toBe(404);
    expect((await remove()).status).toBe(404);
    expect(await documents.kept()).toEqual([1, 1]);
  });

  it('has a new answer for polling clients after each progress of a worker, in the same version', async () => {
    const made = await documents.giveText();
    const tag = String((await documents.send(at(made))).headers.get('etag'));
    const poll = () => documents.send(at(made), { headers: { 'if-none-match': tag } });
    expect((await poll()).status).toBe(304);
    await documents.api.dataSource.query(
      `UPDATE document_ingestion SET state = 'ready' WHERE document_id = $1`,
      [made.body.id],
    );
    expect(await poll()).toMatchObject({ status: 200, body: { state: 'ready' } });
    const headers = { 'if-match': tag };
    expect((await documents.send(at(made), { method: 'DELETE', headers })).status).toBe(204);
  });

  it('is there for its own tenant alone', async () => {
    const made = await documents.giveText();
    const others = await insertDatasource(documents.api.dataSource, { tenantId: 'stranger', name: 'theirs' });
    expect((await documents.send(at(made), {}, documents.stranger)).status).toBe(404);
    expect((await documents.send(at(made), { method: 'DELETE' }, documents.stranger)).status).toBe(404);
    expect(idsOf(await documents.send(DOCUMENTS, {}, documents.stranger))).toEqual([]);
    const ofOthers = `${DOCUMENTS}?datasource_id=${documents.datasource}`;
    expect(idsOf(await documents.send(ofOthers, {}, documents.stranger))).toEqual([]);
    const problem = { status: 400, code: 'VALIDATION_ERROR', places: ['pointer #/datasource_id'] };
    const detail = 'datasource_id: must be a datasource of the tenant';
    expectProblem(await documents.giveText({}, documents.stranger), { ...problem, detail });
    expectProblem(await documents.giveText({ datasource_id: others }), { ...problem, detail });
    expect(idsOf(await documents.send(DOCUMENTS))).toEqual([made.body.id]);
  });
});

it('documents are listed by datasource and state, in pages', async () => {
  const other = await insertDatasource(documents.api.dataSource, { name: 'other' });
  const [first, second, third] = [
    await documents.giveText(),
    await documents.giveText({ datasource_id: other }),
    await documents.giveText(),
  ];
  await documents.api.dataSource.query(
    `UPDATE document_ingestion SET state = 'ready' WHERE document_id = $1`,
    [third.body.id],
  );
  const ids = async (query: string) => idsOf(await documents.send(`${DOCUMENTS}?${query}`));
  expect(await ids(`datasource_id=${documents.datasource}`)).toEqual([first.body.id, third.body.id]);
  expect(await ids('state=ready')).toEqual([third.body.id]);
  expect(await ids(`state=ready,waiting&datasource_id=${other}`)).toEqual([second.body.id]);
  expect((await documents.send(`${DOCUMENTS}?state=eaten`)).status).toBe(400);

  const page = await documents.send(`${DOCUMENTS}?limit=2`);
  expect(idsOf(page)).toEqual([first.body.id, second.body.id]);
  expect(await ids(`limit=2&cursor=${String(page.body.next_cursor)}`)).toEqual([third.body.id]);
});

describe('given contents', () => {
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
    const answer = await documents.send(DOCUMENTS, {
      json: { datasource_id: documents.datasource, ...json },
    });
    expectProblem(answer, {
      ...{ status: 400, code: 'VALIDATION_ERROR', detail },
      places: [`pointer ${place}`],
    });
  });

  const hostile = [...HOSTILE_HOSTS.map((host) => `http://${host}/rules.pdf`), ...HOSTILE_URLS];
  it.each(hostile)('as the URL %s is refused at this door', async (url) => {
    const answer = await documents.giveUrl(url);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ pointer: '#/url' }]);
    expect(idsOf(await documents.send(DOCUMENTS))).toEqual([]);
  });

  it('as a form that is wrong is refused by field, and nothing of it is kept', async () => {
    const file = ['file', 'x', 'a.txt'] as const;
    const detail = 'datasource_id: must be a whole number from 1 to 2147483647';
    const problem = { status: 400, code: 'VALIDATION_ERROR', places: ['pointer #/datasource_id'] };
    expectProblem(await documents.giveForm(file), { ...problem, detail });
    const wrong = await documents.giveForm(file, ['datasource_id', 'x']);
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/datasource_id' }] } });
    const late = await documents.giveForm(file, ['colour', 'red']);
    expect(late).toMatchObject({ status: 400, body: { errors: [{ pointer: '#/colour' }] } });
    expect(await documents.kept()).toEqual([0, 0]);
  });

  it('as too long a file is refused, and nothing of it is kept', async () => {
    const form = (length: number) =>
      documents.giveForm(
        ['datasource_id', String(documents.datasource)],
        ['file', 'x'.repeat(length), 'a.txt'],
      );
    const tooLong = { status: 413, code: 'BODY_TOO_LARGE', detail: 'file: must be at most 2000 bytes' };
    expectProblem(await form(2_001), { ...tooLong, places: ['pointer #/file'] });
    expect(await documents.kept()).toEqual([0, 0]);
    expect((await form(2_000)).status).toBe(201);
  });

  it('beyond what a tenant may keep is refused, and nothing of it is kept', async () => {
    const code = 'KNOWLEDGE_QUOTA_EXCEEDED';
    expect((await documents.giveText({ text: 'x'.repeat(2_000) })).status).toBe(201);
    const bytes = await documents.giveText({ text: 'x'.repeat(501) });
    const detail = 'the tenant has reached its maximum of bytes of documents; delete some';
    expectProblem(bytes, { status: 413, code, detail });
    expect([(await documents.giveText()).status, (await documents.giveText()).status]).toEqual([201, 201]);
    const many = await documents.giveText();
    expectProblem(many, {
      ...{ status: 429, code, detail: 'the tenant has reached its maximum of documents; delete some' },
    });
    expect(await documents.kept()).toEqual([3, 0]);
  });
});

it('an installation without a place for originals says so, and lists what there is', async () => {
  const bare = await startApi({ DATABASE_URL: documents.database.url, AUTH: 'api-key' });
  try {
    const made = await documents.giveText();
    const refused = {
      ...{ status: 422, code: 'DOCUMENTS_NOT_CONFIGURED' },
      detail: 'documents cannot be stored: neither DOCUMENTS_ROOT nor S3_BUCKET is set',
    };
    for (const json of [{ text: 'x' }, { url: 'https://a.example' }]) {
      const body = { json: { datasource_id: documents.datasource, ...json } };
      expectProblem(await documents.send(DOCUMENTS, body, documents.own, bare.url), refused);
    }
    expect(idsOf(await documents.send(DOCUMENTS, {}, documents.own, bare.url))).toEqual([made.body.id]);
  } finally {
    await bare.app.close();
  }
});
