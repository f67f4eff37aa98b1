import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { at, DocumentsApi } from '../documents-api.js';
import { expectProblem } from '../expect-problem.js';
import type { Answer } from '../http-client.js';

let documents: DocumentsApi;
beforeAll(async () => {
  documents = await DocumentsApi.open();
});
beforeEach(() => documents.reset());
afterAll(() => documents.close());

const textsOf = ({ body }: Answer): unknown[] => (body.data as { text: string }[]).map(({ text }) => text);

describe('the content of a document', () => {
  it('is downloaded byte for byte, as an attachment that no browser takes for anything else', async () => {
    const made = await documents.giveForm(
      ['datasource_id', String(documents.datasource)],
      ['file', '<script>alert("Grüße")</script>', 'a "b".html'],
    );
    const answer = await documents.send(`${at(made)}content/`);
    expect([answer.status, answer.text]).toEqual([200, '<script>alert("Grüße")</script>']);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''a%20.*b.*\.html$/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining(`default-src 'none'`),
    });
    const text = await documents.send(`${at(await documents.giveText())}content/`);
    expect([text.text, text.headers.get('content-disposition')]).toEqual([
      'From nine.',
      `attachment; filename*=UTF-8''Hours`,
    ]);
  });

  it('is downloaded with its length, unchanged, for any accepted codings', async () => {
    const made = await documents.giveText({ text: 'x'.repeat(1_900) });
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'accept-encoding': 'br, gzip' };
      const answer = await documents.send(`${at(made)}content/`, { method, headers });
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '1900']);
      expect(answer.headers.get('content-encoding')).toBeNull();
      expect(answer.headers.get('transfer-encoding')).toBeNull();
    }
  });

  it('answers 404 before it is fetched, and after it is gone', async () => {
    const detail = 'The original of the document is not stored, or not fetched yet';
    const missing = { status: 404, code: 'NOT_FOUND', detail };
    const url = 'https://example.com/rules.pdf';
    const made = await documents.giveUrl(url);
    expectProblem(await documents.send(`${at(made)}content/`), missing);
    const lost = await documents.giveText();
    await documents.loseFiles();
    expectProblem(await documents.send(`${at(lost)}content/`), missing);
  });

  it('is replaced, by anything, in the version that If-Match names; what is searched stays until then', async () => {
    const made = await documents.giveText();
    await documents.makeReady(made, 'From nine.');
    const byForm = await documents.sendForm(`${at(made)}content/`, 'PUT', [['file', '# Hours', 'hours.md']]);
    expect(byForm).toMatchObject({
      status: 200,
      body: {
        ...{ id: made.body.id, title: 'Hours', source: 'upload', file_name: 'hours.md', state: 'waiting' },
        ...{ generation: 2, live_generation: 1 },
      },
    });
    expect(byForm.headers.get('etag')).toBe('"2"');
    expect((await documents.send(`${at(made)}content/`)).text).toBe('# Hours');
    expect(textsOf(await documents.send(`${at(made)}chunks/`))).toEqual(['From nine.']);

    const put = (json: object, headers = {}) =>
      documents.send(`${at(made)}content/`, { method: 'PUT', json, headers });
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
    // Generations 2 and 3 were superseded and await removal; the searched generation 1 stays; the refused request left none.
    expect(await documents.kept()).toEqual([3, 2]);
  });

  it('is out of reach for another tenant', async () => {
    const made = await documents.giveText();
    await documents.makeReady(made, 'From nine.');
    for (const part of ['content', 'chunks'])
      expect((await documents.send(`${at(made)}${part}/`, {}, documents.stranger)).status).toBe(404);
    const file = ['file', 'x', 'a.txt'] as const;
    const put = await documents.sendForm(`${at(made)}content/`, 'PUT', [file], documents.stranger);
    expect(put.status).toBe(404);
    expect(await documents.send(at(made))).toMatchObject({ body: { generation: 1 } });
    expect(await documents.filesOf('stranger')).toEqual([]);
  });
});

it('the chunks of a document that are searched are listed in their order, in pages', async () => {
  const made = await documents.giveText();
  expect(textsOf(await documents.send(`${at(made)}chunks/`))).toEqual([]);
  await documents.makeReady(made, 'a', 'b', 'c');
  const page = await documents.send(`${at(made)}chunks/?limit=2`);
  expect(page.body.data).toMatchObject([
    { ordinal: 0, text: 'a', headings: ['Rules'], page: null, token_count: 3 },
    { ordinal: 1, text: 'b' },
  ]);
  const cursor = String(page.body.next_cursor);
  expect(textsOf(await documents.send(`${at(made)}chunks/?limit=2&cursor=${cursor}`))).toEqual(['c']);
});
