import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer } from '../http-client.js';
import { settle, type Ending } from '../settle.js';

const MEANT = { even_if_completed: true };
const COMPLETED = {
  ...{ status: 409, code: 'ALREADY_COMPLETED' },
  detail:
    'The execution has completed, and a retry repeats its work; to repeat it, send "even_if_completed": true',
};

let database: TestDatabase;
let api: RunningApi;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

async function settled(status: NonNullable<Ending['status']>): Promise<string> {
  const { body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' } });
  await settle(api.dataSource, String(body.id), { status });
  return String(body.id);
}

function retry(id: string, json: object = {}, key?: string): Promise<Answer> {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return ask(api.url, `/api/executions/${id}/retry/`, { json, headers });
}

/** Number of turns in the conversation of an execution. */
async function countTurns(id: string): Promise<number> {
  const rows = await api.dataSource.query<unknown[]>(
    `SELECT 1 FROM execution WHERE session_id = (SELECT session_id FROM execution WHERE id = $1)`,
    [id],
  );
  return rows.length;
}

describe('retrying an execution that has completed', () => {
  it('is refused unless the client says that it is meant', async () => {
    const id = await settled('completed');
    for (const json of [{}, { even_if_completed: false }]) expectProblem(await retry(id, json), COMPLETED);
    expect(await countTurns(id)).toBe(1);
    expect(await retry(id, MEANT)).toMatchObject({ status: 202, body: { turn_number: 2 } });
  });

  it('is refused for what is neither true nor false, which is named', async () => {
    const answer = await retry(await settled('completed'), { even_if_completed: 'yes' });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '#/even_if_completed', detail: 'must be true or false' }] },
    });
  });
});

it.each(['incomplete', 'failed', 'cancelled'] as const)(
  'retrying an execution that has ended as %s needs nothing said',
  async (status) => {
    expect((await retry(await settled(status))).status).toBe(202);
  },
);

describe('retrying under an Idempotency-Key', () => {
  it('makes one execution, which every repetition answers', async () => {
    const id = await settled('failed');
    const first = await retry(id, {}, 'again');
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([202, null]);
    const second = await retry(id, {}, 'again');
    expect([second.status, second.body.id]).toEqual([202, first.body.id]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(await countTurns(id)).toBe(2);
  });

  it('makes one execution of ten requests at the same time', async () => {
    const id = await settled('completed');
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(id, MEANT, 'crowd-again')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${String(body.id)}`)).size).toBe(1);
    expect(await countTurns(id)).toBe(2);
  });

  it('is refused where the key came with another body, execution or route', async () => {
    const [id, other] = [await settled('failed'), await settled('failed')];
    await retry(id, {}, 'used');
    const submit = { json: { input: 'x' }, headers: { 'idempotency-key': 'used' } };
    for (const answer of [
      await retry(id, MEANT, 'used'),
      await retry(other, {}, 'used'),
      await ask(api.url, '/api/agents/1/execute/', submit),
    ])
      expectProblem(answer, {
        ...{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' },
        detail: 'this Idempotency-Key was used with another request in the last 24 hours',
      });
  });

  it('leaves the key of a refused request free', async () => {
    const id = await settled('completed');
    expectProblem(await retry(id, {}, 'refused'), COMPLETED);
    expect((await retry(id, MEANT, 'refused')).status).toBe(202);
  });
});
