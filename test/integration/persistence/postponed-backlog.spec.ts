import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExecutionClaimStore, ExecutionDispatchStore, findUnderserved } from '#libs/persistence';
import type { EntityManager } from 'typeorm';
import { aSubmission } from '../../support/builders/submission.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

const POSTPONED = 3_000;

let world: PersistenceWorld;
let dueId: string;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  const ask = (sql: string, parameters: unknown[] = []) => world.dataSource.query<unknown>(sql, parameters);
  const due = aSubmission();
  await world.acceptances.accept(due);
  dueId = due.executionId;
  // Postponed executions get sessions of their own, copied from the session of the due execution.
  await ask(
    `INSERT INTO chat_session (id, tenant_id, agent_id) SELECT gen_random_uuid(), tenant_id, agent_id
       FROM chat_session, generate_series(1, $1)`,
    [POSTPONED],
  );
  await ask(
    `INSERT INTO execution (id, tenant_id, agent_id, session_id, turn_number, status, request, due_at, created_at)
     SELECT gen_random_uuid(), e.tenant_id, e.agent_id, s.id, 1, 'queued', e.request, now() + interval '1 hour',
            e.created_at - interval '1 hour'
       FROM execution e, chat_session s WHERE e.id = $1 AND s.id <> e.session_id`,
    [dueId],
  );
  await ask(`INSERT INTO worker (id, places) VALUES ('w1', 4)`);
  await ask('ANALYZE execution');
});
afterAll(() => world.close());

/** Number of rows of `execution` that `act` reads, including reads by database functions. */
async function rowsRead(act: (manager: EntityManager) => Promise<void>): Promise<number> {
  return world.dataSource.transaction(async (manager) => {
    const count = async (): Promise<number> => {
      const [row] = await manager.query<{ read: number }[]>(
        `SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'execution'`,
      );
      return row?.read ?? 0;
    };
    const before = await count();
    await act(manager);
    return (await count()) - before;
  });
}

describe('thousands of executions that wait for a better time', () => {
  it('are not read by a look for the underserved', async () => {
    const read = await rowsRead(async (manager) => {
      const options = { tenantShare: 0.5, limit: 10, tenantLimit: 10, after: '' };
      const { executions } = await findUnderserved(manager, options);
      expect(executions.map(({ executionId }) => executionId)).toEqual([dueId]);
    });
    expect(read).toBeLessThan(100);
  });

  it('are not read by a dispatch, nor by a claim', async () => {
    const dispatched = await rowsRead(async (manager) => {
      const sent = await new ExecutionDispatchStore(manager).take(DISPATCH_OPTIONS);
      expect(sent).toEqual([{ executionId: dueId }]);
    });
    const claimed = await rowsRead(async (manager) => {
      const claim = await new ExecutionClaimStore(manager).claim(dueId, CLAIM_OPTIONS);
      expect(claim).toMatchObject({ kind: 'claimed' });
    });
    expect([dispatched < 100, claimed < 100]).toEqual([true, true]);
  });

  it('are sent when they are due, before those that were accepted after them', async () => {
    const [late] = await world.dataSource
      .query<{ id: string }[]>(
        `UPDATE execution SET due_at = now() WHERE id = (SELECT id FROM execution WHERE due_at > now() LIMIT 1) RETURNING id`,
      )
      .then((answer) => (Array.isArray(answer[0]) ? answer[0] : answer) as { id: string }[]);
    const young = aSubmission();
    await world.acceptances.accept(young);
    const options = { ...DISPATCH_OPTIONS, queueTarget: 1 };
    expect(await world.dispatches.take(options)).toEqual([{ executionId: late?.id }]);
    expect(await world.dispatches.take({ ...options, queueTarget: 2 })).toEqual([
      { executionId: young.executionId },
    ]);
  });
});
