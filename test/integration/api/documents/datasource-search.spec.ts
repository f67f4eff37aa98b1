import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeWithRedis } from '../../../support/services/test-redis.js';
import { startApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { KEY, LlmsApi } from '../llms-api.js';

const PARCELS = 'Parcels go out at noon.';
const BOXES = 'Boxes are blue, and made of cardboard.';
const DIMENSIONS = 64;

describe('searching a datasource, with the queue in PostgreSQL', () => {
  searching();
});
describeWithRedis('searching a datasource, with the queue in Redis', ({ url }) => {
  searching(url);
});

function searching(redisUrl?: string): void {
  let world: LlmsApi;
  let datasource: number;
  beforeAll(async () => {
    world = await LlmsApi.start({ redisUrl, workerEnv: { WORKER_ROLES: 'execute' } });
    datasource = await makeDatasource(await makeLlm());
    for (const text of [BOXES, PARCELS]) await takeIn(text);
  });
  beforeEach(() => query('DELETE FROM usage_log'));
  afterAll(() => world.close());

  const query = (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
    world.api.dataSource.query(sql, [...values]);
  const make = async (path: string, json: object): Promise<string | number> => {
    const { status, text, body } = await ask(world.api.url, path, { json });
    if (status !== 201) throw new Error(`${path} answered ${status}: ${text}`);
    return body.id as string | number;
  };
  async function makeLlm(credentials: object = {}): Promise<unknown> {
    const base = { openai_api_key: KEY, openai_api_base: world.simulatorUrl };
    return (await world.create({ ...base, ...credentials })).json['id'];
  }
  let datasources = 0;
  async function makeDatasource(llm_id: unknown): Promise<number> {
    const name = `docs ${(datasources += 1)}`;
    const fields = { name, llm_id, embed_model: 'sim-embedding', dimensions: DIMENSIONS };
    return Number(await make('/api/datasources/', fields));
  }
  /** Inserts a live document with this text and the model's vector, in place of a worker's ingestion. */
  async function takeIn(text: string): Promise<void> {
    const hash = createHash('sha256').update(text).digest();
    await query(
      `WITH document AS (
         INSERT INTO document (id, tenant_id, datasource_id, title, live_generation)
         VALUES ($1, 'default', $2, 'Handbook', 1) RETURNING id
       ), ingestion AS (
         INSERT INTO document_ingestion (id, tenant_id, document_id, generation, source, state, chunk_count)
         SELECT gen_random_uuid(), 'default', id, 1, 'text', 'ready', 1 FROM document
       ), chunk AS (
         INSERT INTO chunk (tenant_id, datasource_id, document_id, generation, ordinal, text, headings, token_count,
                            content_hash, search)
         SELECT 'default', $2, id, 1, 0, $3, '{Rules}', 9, $4, to_tsvector('simple', $3) FROM document
       )
       INSERT INTO embedding (tenant_id, llm_id, model, dimensions, content_hash, vector)
       SELECT 'default', llm_id, embed_model, dimensions, $4, $5 FROM datasource WHERE id = $2`,
      [randomUUID(), datasource, text, hash, await vectorOf(text)],
    );
  }
  async function vectorOf(input: string): Promise<Buffer> {
    const json = { model: 'sim-embedding', input, dimensions: DIMENSIONS, encoding_format: 'float' };
    const headers = { authorization: `Bearer ${KEY}` };
    const { body } = await ask(world.simulatorUrl, '/v1/embeddings', { json, headers });
    const [{ embedding } = { embedding: [] }] = body.data as { readonly embedding: number[] }[];
    const length = Math.hypot(...embedding);
    return Buffer.from(Float16Array.from(embedding, (value) => value / length).buffer);
  }
  const search = (json: object, id = datasource, base = world.api.url): Promise<Answer> =>
    ask(base, `/api/datasources/${id}/search/`, { json: { question: 'When do parcels go out?', ...json } });
  const textsOf = ({ body }: Answer): readonly string[] =>
    (body.hits as readonly { readonly text: string }[]).map(({ text }) => text);

  it('answers what agents would read, the nearest first, and keeps account of what that cost', async () => {
    const answer = await search({});
    expect(answer).toMatchObject({
      status: 200,
      body: {
        hits: [
          {
            ...{ datasource_id: datasource, title: 'Handbook', headings: ['Rules'], page: null },
            ...{ text: PARCELS, rank: 1, score: expect.any(Number), warnings: [] },
          },
          { text: BOXES, rank: 2 },
        ],
        usage: {
          retrieval: { datasources: 1, total_candidates: 2, used_chunks: 2, top_k_requested: 5 },
          embedding: { calls: 1, input_tokens: expect.any(Number) },
        },
      },
    });
    const { usage } = answer.body as { usage: { embedding: { input_tokens: number } } };
    expect(await query('SELECT * FROM usage_log')).toMatchObject([
      {
        ...{ tenant_id: 'default', agent_id: null, session_id: null, purpose: 'embedding', round: 1 },
        ...{ state: 'known', model: 'sim-embedding', total_tokens: String(usage.embedding.input_tokens) },
      },
    ]);
    expect(await query('SELECT * FROM document_search')).toEqual([]);
  });

  it('as many as are asked for, and as near (3.H-13)', async () => {
    expect(textsOf(await search({ top_k: 1 }))).toEqual([PARCELS]);
    expect(textsOf(await search({ score_threshold: 1 }))).toEqual([]);
  });

  it.each<[string, object, string, string]>([
    ['no question', { question: undefined }, 'question', 'is required'],
    ['a blank question', { question: ' \u0000' }, 'question', 'must not be empty'],
    ['top_k 0 (3.H-13)', { top_k: 0 }, 'top_k', 'must be at least 1'],
    ['top_k 101 (3.H-13)', { top_k: 101 }, 'top_k', 'must be at most 100'],
    ['a threshold of 2', { score_threshold: 2 }, 'score_threshold', 'must be at most 1'],
    ['another mode', { retrieval_mode: 'union' }, 'retrieval_mode', 'must be one of UNION, MERGE_RANK'],
    ['a key that it does not know', { datasource_ids: [1] }, 'datasource_ids', 'is not a known field'],
    [
      'another model than made the vectors',
      { embed_model: 'other' },
      'embed_model',
      `The vectors of datasource`,
    ],
  ])('with %s it is refused by field, and nothing is paid for', async (_what, fault, field, detail) => {
    const answer = await search(fault);
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'VALIDATION_ERROR',
        errors: [{ pointer: `#/${field}`, detail: expect.stringContaining(detail) }],
      },
    });
    expect(await query('SELECT * FROM usage_log')).toEqual([]);
  });

  it('a resource of another tenant answers 404', async () => {
    const other = await makeDatasource(await makeLlm());
    await query(`INSERT INTO tenant (id, name) VALUES ('other', 'Other') ON CONFLICT DO NOTHING`);
    await query(`UPDATE datasource SET tenant_id = 'other' WHERE id = ${other}`);
    for (const id of [other, 999_999])
      expectProblem(await search({}, id), {
        ...{ status: 404, code: 'NOT_FOUND', detail: 'Datasource not found' },
      });
  });

  it('a model server that refuses the key, or cannot be reached, is no fault of ours', async () => {
    const refusing = await makeDatasource(await makeLlm({ openai_api_key: 'sk-invalid' }));
    expect(await search({}, refusing)).toMatchObject({ status: 422, body: { code: 'RETRIEVAL_FAILED' } });
    const away = await makeDatasource(await makeLlm({ openai_api_base: 'http://127.0.0.1:1' }));
    const answer = await search({}, away);
    expect(answer).toMatchObject({ status: 503, body: { code: 'RETRIEVAL_FAILED' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await query('SELECT state FROM usage_log')).toEqual([{ state: 'failed' }, { state: 'failed' }]);
  });

  it('counts as an embedding call of the tenant, over all processes', async () => {
    const env = {
      ...{ DATABASE_URL: world.database.url, EMBEDDING_CALLS_PER_MINUTE: '1' },
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    };
    const strict = await startApi(env);
    try {
      expect((await search({})).status).toBe(200);
      await query('DELETE FROM usage_log');
      const answer = await search({}, datasource, strict.url);
      expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await query('SELECT * FROM usage_log')).toEqual([]);
    } finally {
      await strict.app.close();
    }
  });

  it('is done by a worker: none is there at once', async () => {
    await world.stopWorker();
    expect(await search({})).toMatchObject({ status: 503, body: { code: 'NO_WORKER' } });
    expect(await query('SELECT * FROM document_search')).toEqual([]);
  });
}
