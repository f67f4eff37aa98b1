import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SecretBox, webhookSecretPlace } from '#libs/secrets';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, ENCRYPTION_KEY });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

const put = (kind: string, name: string, json: object) =>
  ask(api.url, `/api/${kind}/by-name/${encodeURIComponent(name)}/`, { method: 'PUT', json });
const outcomeOf = async (kind: string, name: string, json: object) => {
  const { status, body, text } = await put(kind, name, json);
  if (status !== 200) throw new Error(text);
  return [body.outcome, body.changed_fields];
};
const count = async (table: string): Promise<number> => {
  const [row] = await api.dataSource.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM ${table}`,
  );
  return row?.count ?? -1;
};

const tableOf = (kind: string): string =>
  kind === 'mcp-servers' ? 'tool_server' : kind.slice(0, -1).replace('-', '_');

const AGENT = { usecase_type: 'BASIC_CHAT', llm: 1, config: { temperature: 0.2, maximum_iterations: 5 } };
const LLM = { model: 'sim-echo', credentials: { openai_api_key: 'sk-0123456789' } };
const SKILL = { description: 'How to handle a late parcel.', content: 'Find it first.' };
const SERVER = {
  type: 'http',
  config: { url: 'https://crm.example.com/mcp', headers_template: { authorization: 'Bearer abc' } },
};
const DATASOURCE = { llm_id: 1, embed_model: 'e', dimensions: 8 };
const secretOf = (byte: number): string => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const ENDPOINT = { url: 'https://example.com/hook', secret: secretOf(1) };

describe.each<[kind: string, fields: object, change: object]>([
  ['agents', AGENT, { system_prompt: 'You greet people.' }],
  ['llms', LLM, { model: 'sim-other' }],
  ['skills', SKILL, { content: 'Find it at once.' }],
  ['mcp-servers', SERVER, { status: 'inactive' }],
  ['datasources', DATASOURCE, { description: 'How we work.' }],
  ['webhook-endpoints', ENDPOINT, { is_active: false }],
])('PUT /api/%s/by-name/{name}/', (kind, fields, change) => {
  const name = kind === 'agents' || kind === 'llms' ? `Ours / ${kind} ä` : 'ours';

  it('creates it once, changes what differs, and leaves what is so', async () => {
    expect(await outcomeOf(kind, name, fields)).toEqual(['created', []]);
    const { body: first } = await put(kind, name, fields);
    expect(first).toMatchObject({ outcome: 'unchanged', changed_fields: [], resource: { name } });

    expect(await outcomeOf(kind, name, { ...fields, ...change })).toEqual(['changed', Object.keys(change)]);
    const { id } = first.resource as { readonly id: number };
    const read = await ask(api.url, `/api/${kind}/${id}/`);
    expect(read.body).toMatchObject(change);
    const tag = read.headers.get('etag');

    expect(await outcomeOf(kind, name, { ...fields, ...change })).toEqual(['unchanged', []]);
    expect((await ask(api.url, `/api/${kind}/${id}/`)).headers.get('etag')).toBe(tag);
    // Fields that are left out get their defaults again.
    expect(await outcomeOf(kind, name, fields)).toEqual(['changed', Object.keys(change)]);
  });

  it('checks and writes nothing in a dry run', async () => {
    const other = 'dry_run';
    const { body } = await put(kind, other, { ...fields, dry_run: true, managed_by: 'dry' });
    expect(body).toEqual({ outcome: 'created', changed_fields: [], resource: null });
    const changed = await put(kind, name, { ...fields, ...change, dry_run: true, managed_by: 'dry' });
    expect(changed.body).toMatchObject({ outcome: 'changed', changed_fields: Object.keys(change) });
    expect(await outcomeOf(kind, name, fields)).toEqual(['unchanged', []]);
    const owned = await ask(api.url, '/api/managed-resources/?managed_by=dry');
    expect(owned.body).toMatchObject({ data: [], has_more: false });
  });

  it('makes one of it for many requests at once', async () => {
    const together = 'together';
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(kind, together, { ...fields, managed_by: `n${n}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const made = answers.filter(({ body }) => body.outcome === 'created');
    expect(made).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => (body.resource as { id: unknown }).id)).size).toBe(1);
  });

  it('names a field that is wrong, and an unknown one', async () => {
    const { status, body } = await put(kind, name, { ...fields, name: 'x', dry_run: 'yes' });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { pointer: '#/dry_run', detail: 'must be true or false' },
      { pointer: '#/name', detail: 'is not a known field' },
    ]);
  });
});

describe('resources by name', () => {
  it('keep a secret that is the same, take another one, and keep the stored one where none is given', async () => {
    await put('llms', 'secret', LLM);
    const key = { ...LLM, credentials: { openai_api_key: 'sk-9876543210' } };
    expect(await outcomeOf('llms', 'secret', key)).toEqual(['changed', ['credentials']]);
    expect(await outcomeOf('llms', 'secret', key)).toEqual(['unchanged', []]);
    expect(await outcomeOf('llms', 'secret', { model: LLM.model })).toEqual(['unchanged', []]);

    await put('mcp-servers', 'secret', SERVER);
    const config = { ...SERVER.config, headers_template: { authorization: 'Bearer xyz' } };
    expect(await outcomeOf('mcp-servers', 'secret', { ...SERVER, config })).toEqual(['changed', ['config']]);
    const kept = { ...SERVER.config, headers_template: { authorization: null } };
    expect(await outcomeOf('mcp-servers', 'secret', { ...SERVER, config: kept })).toEqual(['unchanged', []]);
    expect(await outcomeOf('mcp-servers', 'secret', { ...SERVER, config })).toEqual(['unchanged', []]);

    await put('webhook-endpoints', 'secret', ENDPOINT);
    const rotated = { ...ENDPOINT, secret: secretOf(2) };
    const planned = { ...rotated, dry_run: true };
    expect(await outcomeOf('webhook-endpoints', 'secret', planned)).toEqual(['changed', ['secret']]);
    expect(await outcomeOf('webhook-endpoints', 'secret', rotated)).toEqual(['changed', ['secret']]);
    const { body, text } = await put('webhook-endpoints', 'secret', rotated);
    const resource = { name: 'secret', previous_secret_expires_at: expect.stringMatching(/Z$/) as unknown };
    expect(body).toMatchObject({ outcome: 'unchanged', resource });
    expect(text).not.toContain('whsec_');
    expect(await outcomeOf('webhook-endpoints', 'secret', { url: ENDPOINT.url })).toEqual(['unchanged', []]);
  });

  it('keep the previous secret of a webhook endpoint where the same new one is applied many times at once', async () => {
    await put('webhook-endpoints', 'rotated', ENDPOINT);
    const next = { ...ENDPOINT, secret: secretOf(2) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => put('webhook-endpoints', 'rotated', next)),
    );
    expect(answers.filter(({ body }) => body.outcome === 'changed')).toHaveLength(1);
    const [row] = await api.dataSource.query<{ previous_secret_sealed: string; id: number }[]>(
      `SELECT id, previous_secret_sealed FROM webhook_endpoint WHERE name = 'rotated'`,
    );
    const place = webhookSecretPlace('default', row?.id ?? 0);
    expect(SecretBox.of(ENCRYPTION_KEY).open(row?.previous_secret_sealed ?? '', place)).toBe(ENDPOINT.secret);
  });

  it('are refused where several have the name', async () => {
    for (let n = 0; n < 2; n += 1) {
      await ask(api.url, '/api/agents/', { json: { ...AGENT, name: 'twin' } });
      await ask(api.url, '/api/llms/', { json: { ...LLM, name: 'twin' } });
    }
    const detail = expect.stringContaining('several resources') as unknown as string;
    for (const [kind, fields] of [
      ['agents', AGENT],
      ['llms', LLM],
    ] as const) {
      expectProblem(await put(kind, 'twin', fields), { status: 409, code: 'NAME_AMBIGUOUS', detail });
    }
  });

  it('bring an inactive agent back', async () => {
    const { body } = await put('agents', 'back', AGENT);
    const { id } = body.resource as { readonly id: number };
    await ask(api.url, `/api/agents/${id}/`, { method: 'DELETE' });
    expect((await put('agents', 'back', AGENT)).body).toMatchObject({
      ...{ outcome: 'changed', changed_fields: ['is_active'] },
      resource: { id, is_active: true },
    });
  });

  it.each<[string, object, string]>([
    ['agents', { ...AGENT, llm: 999_999 }, 'llm'],
    ['agents', { ...AGENT, usecase_type: 'NONE' }, 'usecase_type'],
    ['agents', { ...AGENT, tools: { builtin: ['absent'] } }, 'tools/builtin/0'],
    ['llms', { ...LLM, credentials: { other: 'x' } }, 'credentials/other'],
    ['skills', { description: 'x' }, 'content'],
    ['mcp-servers', { ...SERVER, config: {} }, 'config/url'],
    ['datasources', { ...DATASOURCE, chunk_tokens: 50, overlap_tokens: 50 }, 'overlap_tokens'],
    ['datasources', { ...DATASOURCE, llm_id: 999_999 }, 'llm_id'],
    ['webhook-endpoints', { url: ENDPOINT.url }, 'secret'],
    ['webhook-endpoints', { ...ENDPOINT, secret: 'whsec_short' }, 'secret'],
  ])('are refused before anything is written, in a dry run too: %s %j', async (kind, fields, field) => {
    const before = await count(tableOf(kind));
    for (const dry_run of [true, false]) {
      const { status, body, text } = await put(kind, 'refused', { ...fields, dry_run });
      expect([status, text]).toEqual([expect.any(Number), expect.stringContaining(`#/${field}`)]);
      expect(status === 400 || status === 422).toBe(true);
      expect(body.errors).toHaveLength(1);
    }
    expect(await count(tableOf(kind))).toBe(before);
  });

  it.each(['agents', 'llms', 'skills', 'mcp-servers', 'datasources', 'webhook-endpoints'])(
    'are refused under a name that cannot be stored: %s',
    async (kind) => {
      const fields = {
        agents: AGENT,
        llms: LLM,
        skills: SKILL,
        'mcp-servers': SERVER,
        datasources: DATASOURCE,
        'webhook-endpoints': ENDPOINT,
      };
      for (const name of ['a\u0000', ...(kind === 'skills' ? [] : ['x'.repeat(101)])]) {
        const { status, body } = await put(kind, name, fields[kind as keyof typeof fields]);
        expect([status, body.errors]).toEqual([400, [expect.objectContaining({ parameter: 'name' })]]);
      }
    },
  );

  it('may have the longest names that there are', async () => {
    expect(await outcomeOf('skills', 'x'.repeat(200), SKILL)).toEqual(['created', []]);
    expect(await outcomeOf('agents', 'ä'.repeat(100), AGENT)).toEqual(['created', []]);
    expect((await put('skills', 'x'.repeat(201), SKILL)).status).toBe(414);
  });

  it('are listed by the set of files that applied them last, page by page', async () => {
    await put('skills', 'a', { ...SKILL, managed_by: 'set' });
    await put('skills', 'b', { ...SKILL, managed_by: 'set' });
    await put('agents', 'a', { ...AGENT, managed_by: 'set' });
    await put('skills', 'b', { ...SKILL, managed_by: 'another' });
    await put('skills', 'a', SKILL);
    const seen: unknown[] = [];
    for (let cursor = ''; ;) {
      const { body } = await ask(api.url, `/api/managed-resources/?managed_by=set&limit=1${cursor}`);
      seen.push(...(body.data as { readonly kind: string }[]).map(({ kind }) => kind));
      if (body.has_more !== true) break;
      cursor = `&cursor=${String(body.next_cursor)}`;
    }
    expect(seen).toEqual(['agents', 'skills']);
    const { status, body } = await ask(api.url, '/api/managed-resources/');
    expect([status, body.errors]).toEqual([400, [{ parameter: 'managed_by', detail: 'is required' }]]);
  });
});
