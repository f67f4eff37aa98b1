import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findIdleSessions, SessionChangesStore } from '#libs/persistence';
import { v7 as uuid } from 'uuid';
import { aModelAnswer } from '../../../support/builders/model-answer.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { deleteIdleSessions } from '../../../../apps/worker/src/housekeeping/housekeeping.tasks.js';
import { WorkerWorld } from '../worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
  await world.dataSource.query(
    `INSERT INTO tenant (id, name, settings) VALUES ('keeper', 'k', '{"retention": {"days": null}}')`,
  );
});
afterAll(() => world.close());

const keepFor = (days: number | null): Promise<unknown> =>
  world.dataSource.query(`UPDATE tenant SET settings = $1 WHERE id = 'default'`, [
    JSON.stringify({ retention: { days } }),
  ]);

async function settledDaysAgo(days: number): Promise<string> {
  const { id, sessionId } = await world.submit();
  await world.run(id, new SequenceModel([aModelAnswer({ text: 'done' })]));
  // Backdates the session; the trigger that protects settled executions must be disabled for that.
  await world.dataSource.query(`
    ALTER TABLE execution DISABLE TRIGGER USER;
    UPDATE execution SET created_at = now() - interval '${days} days', finished_at = now() - interval '${days} days' WHERE id = '${id}';
    ALTER TABLE execution ENABLE TRIGGER USER;
    UPDATE chat_session SET created_at = now() - interval '${days} days' WHERE id = '${sessionId}'`);
  return sessionId;
}

async function sessionsLeft(): Promise<string[]> {
  const rows = await world.dataSource.query<{ id: string }[]>(`SELECT id FROM chat_session`);
  return rows.map(({ id }) => id);
}

it('deletes what had no turn for as long as its tenant keeps it, and nothing else', async () => {
  await world.offer([]);
  const old = await settledDaysAgo(31);
  const recent = await settledDaysAgo(29);
  const goesOn = await settledDaysAgo(31);
  await world.submit({ sessionId: goesOn });
  const oldWithRecentTurn = await settledDaysAgo(31);
  await world.dataSource.query(`
    ALTER TABLE execution DISABLE TRIGGER USER;
    UPDATE execution SET created_at = now(), finished_at = now() WHERE session_id = '${oldWithRecentTurn}';
    ALTER TABLE execution ENABLE TRIGGER USER`);
  const [foreign, empty, young] = [uuid(), uuid(), uuid()];
  await world.dataSource.query(`INSERT INTO chat_session (id, tenant_id) VALUES ($1, 'default')`, [young]);
  await world.dataSource.query(
    `INSERT INTO chat_session (id, tenant_id, created_at) VALUES
       ($1, 'keeper', now() - interval '31 days'), ($2, 'default', now() - interval '31 days')`,
    [foreign, empty],
  );
  const remove = () => deleteIdleSessions(world.dataSource, new SessionChangesStore(world.dataSource));

  await keepFor(null);
  await remove();
  expect(await sessionsLeft()).toHaveLength(7);

  await keepFor(30);
  await remove();

  expect((await sessionsLeft()).sort()).toEqual([recent, goesOn, oldWithRecentTurn, foreign, young].sort());
  const traces = await world.dataSource.query<unknown[]>(
    `SELECT id FROM execution WHERE session_id = $1 UNION ALL SELECT session_id FROM chat_message WHERE session_id = $1`,
    [old],
  );
  expect(traces).toEqual([]);
});

it('keeps conversations that began to run again', async () => {
  await keepFor(30);
  const sessionId = await settledDaysAgo(31);
  expect(await findIdleSessions(world.dataSource)).toContainEqual({ tenantId: 'default', sessionId });
  await world.submit({ sessionId });

  expect(await new SessionChangesStore(world.dataSource).delete('default', sessionId)).toBe('busy');
});
