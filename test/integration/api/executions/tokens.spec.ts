import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExecutionTokenStore } from '#libs/persistence';
import { executionTokenPlace, parseKeyring, SecretBox } from '#libs/secrets';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { settle } from '../settle.js';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const CANARY = 'canary-5e1f';

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

const submit = (body: object, key?: string): Promise<Answer> =>
  ask(api.url, '/api/agents/1/execute/', {
    json: { input: 'x', ...body },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

/** Stored tokens of an execution, decrypted. */
async function tokensOf(executionId: unknown): Promise<Record<string, string>> {
  const stored = await new ExecutionTokenStore(api.dataSource).read('default', String(executionId));
  const box = new SecretBox(parseKeyring(ENCRYPTION_KEY));
  return Object.fromEntries(
    (stored?.tokens ?? []).map(({ name, sealed }) => [
      name,
      box.open(sealed, executionTokenPlace('default', String(executionId), name)),
    ]),
  );
}

async function everythingStored(): Promise<string> {
  const tables = await api.dataSource.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const dumps = await Promise.all(
    tables.map(({ name }) => api.dataSource.query<unknown[]>(`SELECT * FROM "${name}"`)),
  );
  return JSON.stringify(dumps);
}

describe('tokens of a request', () => {
  it('are stored with their execution, encrypted, on any way of acceptance (S4-1)', async () => {
    const alone = await submit({ tokens: { crm: `${CANARY}-1` } });
    const together = await Promise.all([
      submit({ tokens: { crm: `${CANARY}-2`, mail: `${CANARY}-3` } }),
      submit({}),
      submit({ tokens: { mail: `${CANARY}-4` } }),
    ]);
    const keyed = await submit({ tokens: { crm: `${CANARY}-5` } }, 'k1');
    const next = await submit({
      ...{ session_uuid: alone.body.session_uuid, tokens: { crm: `${CANARY}-6` } },
      on_conflict: 'interrupt',
    });

    const kept = await Promise.all([...together, keyed, next].map(({ body }) => tokensOf(body.id)));
    expect(kept).toEqual([
      { crm: `${CANARY}-2`, mail: `${CANARY}-3` },
      {},
      { mail: `${CANARY}-4` },
      { crm: `${CANARY}-5` },
      { crm: `${CANARY}-6` },
    ]);
    // The submission with `interrupt` cancelled the first execution before a worker ran it.
    expect(await tokensOf(alone.body.id)).toEqual({});
    expect(await everythingStored()).not.toContain(CANARY);
    expect(api.log.join('')).not.toContain(CANARY);
  });

  it('distinguish two requests under one key, and what is kept of that says nothing of them', async () => {
    const first = await submit({ tokens: { crm: CANARY } }, 'key');
    const again = await submit({ tokens: { crm: CANARY } }, 'key');
    expect(again.body).toEqual(first.body);
    const [known] = await api.dataSource.query<{ request_sha256: string }[]>(
      `SELECT request_sha256 FROM idempotency_key WHERE key = 'key'`,
    );

    for (const tokens of [{ crm: `${CANARY}!` }, { crm2: CANARY }, {}, undefined])
      expectProblem(await submit({ tokens }, 'key'), {
        status: 422,
        code: 'IDEMPOTENCY_KEY_REUSED',
        detail: 'this Idempotency-Key was used with another request in the last 24 hours',
      });
    const elsewhere = await submit({ tokens: { crm: CANARY } }, 'key-2');
    const [other] = await api.dataSource.query<{ request_sha256: string }[]>(
      `SELECT request_sha256 FROM idempotency_key WHERE execution_id = $1`,
      [elsewhere.body.id],
    );
    expect(other?.request_sha256).not.toBe(known?.request_sha256);
  });

  it('are refused by field where they could not be sent, and no answer repeats one', async () => {
    const answer = await submit({ tokens: { crm: `${CANARY}\r\nX-Admin: 1`, 'a-b': 'x' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(answer.body.errors).toMatchObject([{ pointer: '#/tokens/crm' }, { pointer: '#/tokens/a-b' }]);
    expect(JSON.stringify(answer.body)).not.toContain(CANARY);
    expect(api.log.join('')).not.toContain(CANARY);
  });

  it('have to be given again to run it again: they were deleted when it ended', async () => {
    const { body } = await submit({ tokens: { crm: CANARY, mail: CANARY } });
    const retry = (json?: object): Promise<Answer> =>
      ask(api.url, `/api/executions/${String(body.id)}/retry/`, {
        method: 'POST',
        ...(json !== undefined && { json }),
      });
    await settle(api.dataSource, String(body.id), { status: 'failed' });

    for (const given of [undefined, {}, { tokens: { crm: 'x' } }])
      expect(await retry(given)).toMatchObject({ status: 409, body: { code: 'TOKENS_EXPIRED' } });
    const again = await retry({ tokens: { crm: 'new-1', mail: 'new-2' } });

    expect(again.status).toBe(202);
    expect(await tokensOf(again.body.id)).toEqual({ crm: 'new-1', mail: 'new-2' });
  });

  it('are not taken by a server that cannot keep them', async () => {
    const keyless = await startApi({ DATABASE_URL: database.url });
    const ask1 = (json: object, headers = {}) =>
      ask(keyless.url, '/api/agents/1/execute/', { json: { input: 'x', ...json }, headers });
    const refused = {
      status: 422,
      code: 'ENCRYPTION_NOT_CONFIGURED',
      detail: 'Secrets cannot be stored, because ENCRYPTION_KEY is not set',
    };
    expectProblem(await ask1({ tokens: { crm: CANARY } }), refused);
    expectProblem(await ask1({ tokens: { crm: CANARY } }, { 'idempotency-key': 'k9' }), refused);
    expect((await ask1({ tokens: {} })).status).toBe(202);
    await keyless.app.close();
  });
});
