import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPES } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask, type Answer, type RequestOptions } from '../http-client.js';
import { settle } from '../settle.js';

const NOBODY = '0198c0de-0000-7000-8000-000000000001';
const EXECUTION_NOT_FOUND = { status: 404, code: 'NOT_FOUND', detail: 'Execution not found' };
const ONE_DECISION = { decisions: [{ call: '1.0', approved: true }] };
const PENDING = [
  { call: '1.0', tool_name: 'charge', tool_input: {} },
  { call: '1.1', tool_name: 'charge', tool_input: {} },
];

let database: TestDatabase;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  key = await createKey(api.dataSource, SCOPES);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});

function act(path: string, options: RequestOptions = {}, as = key): Promise<Answer> {
  return ask(api.url, path, {
    method: 'POST',
    ...options,
    headers: { ...options.headers, authorization: `Bearer ${as}` },
  });
}

async function submit(json: object = {}): Promise<{ id: string; session_uuid: string }> {
  const { body } = await act('/api/agents/1/execute/', { json: { input: 'x', ...json } });
  return { id: String(body.id), session_uuid: String(body.session_uuid) };
}

/** Row of an execution without `dispatched_at`, which may change at any time after the acceptance. */
async function row(id: string): Promise<unknown> {
  const [found] = await api.dataSource.query<{ row: unknown }[]>(
    `SELECT to_jsonb(execution) - 'dispatched_at' AS row FROM execution WHERE id = $1`,
    [id],
  );
  return found?.row;
}

/** Parks the execution in the database, in place of a worker. */
async function park(id: string): Promise<void> {
  await api.dataSource.query(
    `UPDATE execution SET status = 'requires_action', attempt = 1, epoch = 1, pending_calls = $2 WHERE id = $1`,
    [id, JSON.stringify(PENDING)],
  );
}

const ACTIONS: [action: string, options: RequestOptions][] = [
  ['cancel', {}],
  ['retry', {}],
  ['approvals', { json: ONE_DECISION }],
];

describe.each(ACTIONS)('POST /api/executions/{id}/%s/', (action, options) => {
  it('names an id that is no UUID', async () => {
    expectProblem(await act(`/api/executions/1/${action}/`, options), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: 'id: must be a UUID',
      places: ['parameter id'],
    });
  });

  it('does not find what does not exist', async () => {
    expectProblem(await act(`/api/executions/${NOBODY}/${action}/`, options), EXECUTION_NOT_FOUND);
  });

  it('does not find what belongs to another tenant, and leaves it as it is', async () => {
    const stranger = await createKey(api.dataSource, SCOPES, 'stranger');
    const { id } = await submit();
    if (action === 'retry') await settle(api.dataSource, id);
    if (action === 'approvals') await park(id);
    const before = await row(id);
    expectProblem(await act(`/api/executions/${id}/${action}/`, options, stranger), EXECUTION_NOT_FOUND);
    expect(await row(id)).toEqual(before);
  });

  it('wants its scope', async () => {
    const scope = action === 'approvals' ? 'approvals:decide' : 'executions:write';
    const reader = await createKey(
      api.dataSource,
      SCOPES.filter((other) => other !== scope),
    );
    expectProblem(await act(`/api/executions/${NOBODY}/${action}/`, options, reader), {
      status: 403,
      code: 'INSUFFICIENT_SCOPE',
      detail: `the API key lacks the scope "${scope}"`,
    });
  });

  it('takes POST only', async () => {
    const answer = await act(`/api/executions/${NOBODY}/${action}/`, { method: 'GET' });
    expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'POST',
    ]);
  });
});

describe('cancelling', () => {
  it.each(['completed', 'incomplete', 'failed', 'cancelled'] as const)(
    'leaves an execution that has ended as %s as it is',
    async (status) => {
      const { id } = await submit();
      const view = await settle(api.dataSource, id, { status });
      const answer = await act(`/api/executions/${id}/cancel/`);
      expect([answer.status, answer.body]).toEqual([200, view]);
    },
  );

  it('twice is the same as once', async () => {
    const { id } = await submit();
    const first = await act(`/api/executions/${id}/cancel/`);
    const second = await act(`/api/executions/${id}/cancel/`);
    expect(first).toMatchObject({ status: 200, body: { status: 'cancelled', error: { code: 'CANCELLED' } } });
    expect(second.body).toEqual(first.body);
  });
});

describe('retrying', () => {
  it.each(['queued', 'running', 'requires_action'])('is refused while an execution is %s', async (status) => {
    const { id } = await submit();
    await api.dataSource.query('UPDATE execution SET status = $2 WHERE id = $1', [id, status]);
    expectProblem(await act(`/api/executions/${id}/retry/`), {
      status: 409,
      code: 'NOT_SETTLED',
      detail: 'The execution has not ended; wait for it, or cancel it first',
    });
  });
});

describe('deciding', () => {
  it('is refused where nothing waits', async () => {
    const { id } = await submit();
    expectProblem(await act(`/api/executions/${id}/approvals/`, { json: ONE_DECISION }), {
      status: 409,
      code: 'NO_ACTION_REQUIRED',
      detail: 'The execution does not wait for a decision',
    });
  });

  const CALL = 'must be the `call` of a waiting tool call, e.g. "1.0", or "2.1:1.0" of a sub-agent';
  const decision = (fields: object): object => ({ decisions: [{ call: '1.0', approved: true, ...fields }] });
  it.each<[name: string, json: unknown, place: string, words: string]>([
    ['nothing', {}, 'decisions', 'is required'],
    ['no decision', { decisions: [] }, 'decisions', 'must not be empty'],
    ['what is no list', { decisions: 'all' }, 'decisions', 'must be a list'],
    [
      'too many',
      { decisions: Array.from({ length: 101 }, (_unused, n) => ({ call: `1.${n}`, approved: true })) },
      'decisions',
      'must be at most 100 items',
    ],
    ['a call that is no position', decision({ call: 'first' }), 'decisions/0/call', CALL],
    ['a word for a decision', decision({ approved: 'yes' }), 'decisions/0/approved', 'must be true or false'],
    [
      'a long reason',
      decision({ reason: 'x'.repeat(1_001) }),
      'decisions/0/reason',
      'must be at most 1000 characters',
    ],
    ['an unknown field', decision({ because: 'x' }), 'decisions/0/because', 'is not a known field'],
    ['a field beside', { ...ONE_DECISION, all: true }, 'all', 'is not a known field'],
  ])('is refused with %s, and names the place', async (_name, json, place, words) => {
    const { id } = await submit();
    await park(id);
    expectProblem(await act(`/api/executions/${id}/approvals/`, { json }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: `${place.replaceAll('/', '.')}: ${words}`,
      places: [`pointer #/${place}`],
    });
    expect(await row(id)).toMatchObject({ status: 'requires_action', pending_calls: PENDING });
  });

  it.each<[name: string, calls: string[], at: number]>([
    ['a call that does not wait', ['1.0', '7.0'], 1],
    ['a call named twice', ['1.0', '1.0'], 0],
  ])('decides nothing when it names %s', async (_name, calls, at) => {
    const { id } = await submit();
    await park(id);
    const json = { decisions: calls.map((call) => ({ call, approved: true })) };
    const answer = await act(`/api/executions/${id}/approvals/`, { json });
    const problem = answer.body as { errors?: { pointer: string }[] };
    expect([answer.status, problem.errors?.[0]?.pointer]).toEqual([400, `#/decisions/${at}/call`]);
    expect(await row(id)).toMatchObject({ status: 'requires_action', pending_calls: PENDING });
  });
});

describe('a busy conversation', () => {
  it('is refused within seconds to who asks for that, and not to be tried again at once (S4-3, S4-36)', async () => {
    const { session_uuid } = await submit();
    const json = { input: 'me too', session_uuid, on_conflict: 'reject' };
    const answer = await act('/api/agents/1/execute/', { json });
    expectProblem(answer, {
      status: 409,
      code: 'CONVERSATION_LOCKED',
      detail: 'the conversation is busy with another execution; try again later',
    });
    expect([answer.headers.get('retry-after'), answer.headers.get('x-should-retry')]).toEqual(['5', 'false']);
  });
});

describe('the events of a running execution', () => {
  it.each(['x', '-1', '1.5', '99999999999'])('are not resumed after the id %s', async (last) => {
    const { id } = await submit();
    const headers = { 'last-event-id': last };
    expectProblem(await act(`/api/executions/${id}/events/`, { method: 'GET', headers }), {
      status: 400,
      code: 'VALIDATION_ERROR',
      detail: 'Last-Event-ID: must be the id of an event of this execution',
      places: ['header Last-Event-ID'],
    });
  });
});
