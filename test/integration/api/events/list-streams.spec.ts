import type { EventSourceMessage } from 'eventsource-parser';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANGES_SQL } from '#libs/persistence';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { rowsOfPlan, type Plan } from '../../../support/services/rows-of-plan.js';
import { startApi, type RunningApi } from '../api-fixture.js';
import { createKey } from '../api-keys.js';
import { expectProblem } from '../expect-problem.js';
import { ask } from '../http-client.js';
import { openStream, type SseConnection } from '../sse-client.js';

const EVENTS = '/api/executions/events/';

let database: TestDatabase;
let api: RunningApi;
let key: string;
const opened: SseConnection[] = [];

beforeAll(async () => {
  database = await createSeededDatabase();
  api = await startApi({ DATABASE_URL: database.url, AUTH: 'api-key' });
  key = await createKey(api.dataSource, ['executions:read', 'executions:write']);
});
afterAll(async () => {
  await api.app.close();
  await database.drop();
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.leave();
  await api.dataSource.query(`DELETE FROM chat_session`);
});

async function follow(headers: Record<string, string> = {}, as = key): Promise<SseConnection> {
  const stream = await openStream(api.url, EVENTS, { authorization: `Bearer ${as}`, ...headers });
  opened.push(stream);
  return stream;
}

async function submit(): Promise<string> {
  const headers = { authorization: `Bearer ${key}` };
  const { status, body } = await ask(api.url, '/api/agents/1/execute/', { json: { input: 'x' }, headers });
  expect(status).toBe(202);
  return String(body['id']);
}

const set = (id: string, change: string): Promise<unknown> =>
  api.dataSource.query(`UPDATE execution SET ${change} WHERE id = $1`, [id]);
const run = (id: string): Promise<unknown> =>
  set(
    id,
    `status = 'running', attempt = attempt + 1, started_at = now(), lease_owner = 'w', lease_expires_at = now() + interval '1 hour'`,
  );
const complete = (id: string): Promise<unknown> => set(id, `status = 'completed', finished_at = now()`);
function shown(messages: readonly EventSourceMessage[]): string[] {
  return messages.map(({ event, data }) => {
    const { id, status, attempt } = JSON.parse(data) as { id?: string; status?: string; attempt?: number };
    return id === undefined ? String(event) : `${id} ${String(status)} ${String(attempt)}`;
  });
}

describe('a stream of all executions', () => {
  it('begins with those that run or wait for a person, then shows each change', async () => {
    const [running, waiting, settled] = [await submit(), await submit(), await submit()];
    await run(running);
    await set(waiting, `status = 'requires_action', approval_expires_at = now() + interval '1 hour'`);
    await complete(settled);
    const stream = await follow();
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(shown(await stream.take(3))).toEqual([
      ...[`${running} running 1`, `${waiting} requires_action 0`].toSorted(),
      'listening',
    ]);
    const made = await submit();
    // Changes of the ten seconds before the stream began may be repeated.
    const until = async (wanted: string): Promise<void> => {
      for (;;) if (shown(await stream.take(1))[0] === wanted) return;
    };
    await until(`${made} queued 0`);
    await run(made);
    await until(`${made} running 1`);
    await set(made, `status = 'queued', lease_owner = NULL, lease_expires_at = NULL`);
    await until(`${made} queued 1`);
    await set(waiting, `status = 'queued'`);
    await until(`${waiting} queued 0`);
    await complete(running);
    await until(`${running} completed 1`);
  });

  it('shows that one waits again, long after it was made', async () => {
    const time = (Date.now() - 3_600_000).toString(16).padStart(12, '0');
    const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000001`;
    await submit();
    await api.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status)
       SELECT $1, 'default', 1, id, 2, '{}', 'requires_action' FROM chat_session LIMIT 1`,
      [id],
    );
    const stream = await follow();
    expect(shown(await stream.take(2))).toEqual([`${id} requires_action 0`, 'listening']);

    await set(id, `status = 'queued'`);

    const changes = shown(await stream.take(2));
    expect(changes).toContain(`${id} queued 0`);
  });

  it('shows those of its tenant alone', async () => {
    const stranger = await createKey(api.dataSource, ['executions:read'], 'stranger');
    const [ours, theirs] = [await follow(), await follow({}, stranger)];
    await Promise.all([ours.take(1), theirs.take(1)]);
    const id = await submit();
    expect(shown(await ours.take(1))).toEqual([`${id} queued 0`]);
    const session = await api.dataSource.query<[{ id: string }]>(
      `INSERT INTO chat_session (id, tenant_id, agent_id) VALUES (gen_random_uuid(), 'stranger', 1) RETURNING id`,
    );
    await api.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status)
       VALUES ('0198c0de-0000-7000-8000-000000000001', 'stranger', 1, $1, 1, '{}', 'running')`,
      [session[0].id],
    );
    expect(shown(await theirs.take(1))).toEqual(['0198c0de-0000-7000-8000-000000000001 running 0']);
  });

  it('goes on after the event that a client has seen', async () => {
    const first = await follow();
    const [listening] = await first.take(1);
    first.leave();
    const [queued, done] = [await submit(), await submit()];
    await complete(done);

    const second = await follow({ 'last-event-id': String(listening?.id) });
    const again = await second.take(3);

    expect(shown(again)).toEqual([...[`${queued} queued 0`, `${done} completed 0`].toSorted(), 'listening']);
    // Only the end of a reading may be resumed after.
    expect(again.map(({ id }) => id === listening?.id)).toEqual([true, true, false]);
  });

  it('says when there was more than it sends', async () => {
    await submit();
    await api.dataSource.query(
      `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, finished_at)
       SELECT gen_random_uuid(), 'default', 1, s.id, n + 1, '{}', 'completed', now()
         FROM generate_series(1, 1001) n, (SELECT id FROM chat_session LIMIT 1) s`,
    );
    const stream = await follow({ 'last-event-id': String(Date.now() - 60_000) });

    const events = shown(await stream.take(1_004));

    expect(events.slice(-2)).toEqual(['reset', 'listening']);
  });

  it.each(['x', '1', '-1795338300000', '1.5', '17953383000001', '0795338300000'])(
    'begins after no event such as "%s"',
    async (id) => {
      const headers = { authorization: `Bearer ${key}`, 'last-event-id': id };
      expectProblem(await ask(api.url, EVENTS, { headers }), {
        ...{ status: 400, code: 'VALIDATION_ERROR', places: ['header Last-Event-ID'] },
        detail: 'Last-Event-ID: must be the id of an event of this stream',
      });
    },
  );
});

it('a reading finds changes by indexes, however many executions have settled before', async () => {
  await submit();
  await api.dataSource.query(
    `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, request, status, finished_at)
     SELECT ('0190c0de-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'default', 1, s.id, n + 1, '{}', 'completed',
            now() - interval '1 day'
       FROM generate_series(1, 5000) n, (SELECT id FROM chat_session LIMIT 1) s`,
  );
  await api.dataSource.query('ANALYZE execution');
  const now = Date.now().toString(16).padStart(12, '0');
  const [row] = await api.dataSource.query<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${CHANGES_SQL}`,
    [
      ...['default', new Date(Date.now() - 10_000).toISOString()],
      `${now.slice(0, 8)}-${now.slice(8)}-7000-8000-000000000000`,
    ],
  );
  expect(rowsOfPlan(row['QUERY PLAN'][0].Plan, 'execution')).toBeLessThan(20);
});
