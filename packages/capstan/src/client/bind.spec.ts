import { describe, expect, it } from '@jest/globals';
import { json, scriptedFetch } from '../../fakes/scripted-fetch.js';
import { Capstan } from './capstan.js';

const page = (data: unknown[], next_cursor: string | null) => json({ data, next_cursor });

function client(...answers: Response[]) {
  const { fetch, sent } = scriptedFetch(...answers);
  return { capstan: new Capstan({ fetch, baseUrl: 'http://capstan' }), sent };
}

describe('a method', () => {
  it('puts its parameters where they belong', async () => {
    const { capstan, sent } = client(json({}), json({}), json({}));
    await capstan.agents.restoreVersion(7, 2);
    await capstan.tools.try('find parcel', {});
    await capstan.memories.forgetExecutor({ executor_id: 'anna&co' });
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST http://capstan/api/agents/7/versions/2/restore/',
      'POST http://capstan/api/tools/find%20parcel/try/',
      'DELETE http://capstan/api/memories/?executor_id=anna%26co',
    ]);
  });

  it('does not ask another route where a parameter is empty', () => {
    const { capstan } = client();
    expect(() => capstan.executions.get('')).toThrow('id is missing in /api/executions/{id}/.');
  });

  it('sends a body that may be left out', async () => {
    const { capstan, sent } = client(json({}));
    await capstan.executions.retry('e1');
    expect(sent[0]?.body).toBe('{}');
  });

  it('sends a form with its file last', async () => {
    const { capstan, sent } = client(json({}));
    await capstan.documents.upload({ file: new File(['# A'], 'a.md'), datasource_id: 3 });
    const form = sent[0]?.body as FormData;
    expect([...form.keys()]).toEqual(['datasource_id', 'file']);
    expect((form.get('file') as File).name).toBe('a.md');
    expect(sent[0]?.headers.has('content-type')).toBe(false);
  });

  it('answers nothing where the service answers nothing', async () => {
    const { capstan } = client(new Response(null, { status: 204 }));
    await expect(Promise.resolve(capstan.skills.delete(1))).resolves.toBeUndefined();
  });
});

describe('a list', () => {
  it('goes over the items of all pages', async () => {
    const { capstan, sent } = client(page([1, 2], 'c1'), page([], 'c2'), page([3], null));
    const items: unknown[] = [];
    for await (const item of capstan.executions.list({ metadata: { ticket: 'T-1' } })) items.push(item);
    expect(items).toEqual([1, 2, 3]);
    const queries = sent.map(({ url }) => new URL(url).searchParams);
    expect(queries.map((query) => query.get('cursor'))).toEqual([null, 'c1', 'c2']);
    expect(queries.map((query) => query.get('metadata[ticket]'))).toEqual(['T-1', 'T-1', 'T-1']);
    expect(queries.map((query) => query.get('limit'))).toEqual(['100', '100', '100']);
  });

  it('gives its pages', async () => {
    const { capstan, sent } = client(page(['a'], 'c1'), page(['b'], null));
    const first = await capstan.skills.list({ limit: 1 });
    expect(first).toMatchObject({ data: ['a'], nextCursor: 'c1', requestId: 'r-1' });
    const second = await first.next();
    expect(second?.data).toEqual(['b']);
    expect(second?.next()).toBeNull();
    expect(sent.map(({ url }) => new URL(url).searchParams.get('limit'))).toEqual(['1', '1']);
  });

  it('asks for no page that is not used', async () => {
    const { capstan, sent } = client(page([1, 2], 'c1'));
    const items = capstan.executions.list()[Symbol.asyncIterator]();
    await items.next();
    await items.next();
    expect(sent).toHaveLength(1);
  });
});
