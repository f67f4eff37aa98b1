import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertDatasource } from '../../../support/services/insert-datasource.js';
import { DOCUMENTS, DocumentsApi } from '../documents-api.js';
import { expectProblem } from '../expect-problem.js';
import type { Answer, RequestOptions } from '../http-client.js';
import { sentForm, type Part } from '../sent-form.js';

const FILES = '/api/files/';
const KEY = 'upload-1';

let documents: DocumentsApi;
let datasourceOfStranger = 0;
beforeAll(async () => {
  documents = await DocumentsApi.open({ FILES_PER_TENANT: '3' });
  datasourceOfStranger = await insertDatasource(documents.api.dataSource, { tenantId: 'stranger' });
});
beforeEach(async () => {
  await documents.api.dataSource.query('DELETE FROM file');
  await documents.reset();
});
afterAll(() => documents.close());

/** One kind of upload: its request, and requests with different contents. */
interface Kind {
  readonly path: string;
  readonly table: 'document' | 'file';
  /** Number of files that the request stores; 0 for a URL, which a worker fetches later. */
  readonly files: number;
  readonly request: (datasource: number) => Promise<RequestOptions>;
  readonly others: () => Promise<readonly RequestOptions[]>;
}

const form = (...parts: readonly Part[]): Promise<RequestOptions> => sentForm('POST', parts);
const json = (fields: object): Promise<RequestOptions> => Promise.resolve({ json: fields });
const rules = (datasource: number, text = '# Rules', name = 'rules.md', title = 'R') =>
  form(['datasource_id', String(datasource)], ['title', title], ['file', text, name]);
const hours = (datasource: number, more: object = {}) =>
  json({ datasource_id: datasource, title: 'Hours', text: 'From nine.', ...more });
const KINDS: Readonly<Record<string, Kind>> = {
  'a document as a file': {
    ...{ path: DOCUMENTS, table: 'document', files: 1 },
    request: (datasource) => rules(datasource),
    others: () =>
      Promise.all([
        rules(documents.datasource, '# Other'),
        rules(documents.datasource, '# Rules', 'other.md'),
        rules(documents.datasource, '# Rules', 'rules.md', 'Other'),
        hours(documents.datasource),
      ]),
  },
  'a document as a text': {
    ...{ path: DOCUMENTS, table: 'document', files: 1 },
    request: (datasource) => hours(datasource),
    others: () =>
      Promise.all([
        hours(documents.datasource, { text: 'From ten.' }),
        hours(documents.datasource, { media_type: 'text/markdown' }),
      ]),
  },
  'a document by its URL': {
    ...{ path: DOCUMENTS, table: 'document', files: 0 },
    request: (datasource) => json({ datasource_id: datasource, url: 'https://example.com/a.pdf' }),
    others: () =>
      Promise.all([json({ datasource_id: documents.datasource, url: 'https://example.com/b.pdf' })]),
  },
  'a file': {
    ...{ path: FILES, table: 'file', files: 1 },
    request: () => form(['file', 'Hello', 'a.txt']),
    others: () =>
      Promise.all([
        form(['file', 'Hullo', 'a.txt']),
        form(['file', 'Hello', 'b.txt']),
        form(['file', 'Hello', 'a.txt'], ['expires_at', new Date(Date.now() + 60_000).toISOString()]),
      ]),
  },
};

const send = async (
  path: string,
  request: RequestOptions,
  key = KEY,
  caller = documents.own,
): Promise<Answer> =>
  documents.send(path, { ...request, headers: { ...request.headers, 'idempotency-key': key } }, caller);
const idOf = ({ body }: Answer): string => String(body.id);

describe.each(Object.entries(KINDS))('%s, given under an Idempotency-Key', (_name, kind) => {
  const { path, table, files } = kind;
  const give = async (key = KEY): Promise<Answer> =>
    send(path, await kind.request(documents.datasource), key);
  const remove = async (answer: Answer): Promise<void> => {
    expect((await documents.send(`${path}${idOf(answer)}/`, { method: 'DELETE' })).status).toBe(204);
  };

  it('is made once, however often the request is repeated, and each answer names it', async () => {
    const first = await give();
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const again = await give();
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.headers.get('location'), again.headers.get('etag')]).toEqual([
      first.headers.get('location'),
      first.headers.get('etag'),
    ]);
    expect(await documents.kept()).toEqual([files, 0]);
    expect((await documents.send(path)).body.data).toHaveLength(1);
  });

  it('is made once when the request comes several times at once', async () => {
    const answers = await Promise.all([give(), give(), give(), give()]);
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body.id)}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await documents.kept()).toEqual([files, 0]);
  });

  it('is answered again where the tenant may have no more', async () => {
    const first = await give();
    for (const key of ['upload-2', 'upload-3']) await give(key);
    expect([413, 429]).toContain((await give('upload-4')).status);
    expect(idOf(await give())).toBe(idOf(first));
  });

  it('is refused where the key came with something else, and nothing of that is kept', async () => {
    await give();
    for (const other of await kind.others())
      expectProblem(await send(path, other), {
        ...{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
        detail: 'this Idempotency-Key was used with another request in the last 24 hours',
      });
    expect(await documents.kept()).toEqual([files, 0]);
  });

  it('is another one under another key, without one, and of another tenant', async () => {
    const request = await kind.request(documents.datasource);
    const answers = [
      await give(),
      await give('upload-2'),
      await documents.send(path, request),
      await send(path, await kind.request(datasourceOfStranger), KEY, documents.stranger),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(idOf)).size).toBe(4);
  });

  it('is made anew once it was deleted', async () => {
    const first = await give();
    await remove(first);
    const next = await give();
    expect([next.status, next.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(idOf(next)).not.toBe(idOf(first));
    expect(idOf(await give())).toBe(idOf(next));
  });

  it('is made anew after a day, beside the first one', async () => {
    const first = await give();
    const age = (text: string) =>
      documents.api.dataSource.query(`UPDATE ${table} SET created_at = now() - $1::interval`, [text]);
    await age('23 hours 59 minutes');
    expect(idOf(await give())).toBe(idOf(first));
    await age('24 hours');
    const next = await give();
    expect(idOf(next)).not.toBe(idOf(first));
    expect((await documents.send(`${path}${idOf(first)}/`)).status).toBe(200);
    expect(idOf(await give())).toBe(idOf(next));
  });

  it.each(['', 'with blanks', 'x'.repeat(256)])('is refused where that is %j', async (key) => {
    const answer = await give(key);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', errors: [{ header: 'Idempotency-Key' }] },
    });
    expect(await documents.kept()).toEqual([0, 0]);
  });
});
