import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Assignment } from '#libs/executions';
import { systemClock } from '#libs/kernel';
import {
  createDataSource,
  ExecutionAssignmentStore,
  ExecutionClaimStore,
  ExecutionDispatchStore,
  ExecutionAcceptanceStore,
  ExecutionEndings,
  ExecutionStore,
  ExecutionWrites,
  findUnderserved,
  PostgresJournal,
} from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { v4 as randomToken, v7 as uuid } from 'uuid';
import { aSettlement } from '../../contract/journal/a-settlement.js';
import { aSubmission } from '../../support/builders/submission.js';
import { CLAIM_OPTIONS, DISPATCH_OPTIONS, PersistenceWorld } from './persistence-world.js';

const BACKLOG = 2_000;
const EXPIRE_SQL = `UPDATE execution SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`;
/** Leaves a queued execution as the acceptance does that claims it for a worker. */
const ASSIGN_SQL = `
  UPDATE execution SET status = 'running', epoch = 1, claim_token = $2, lease_owner = 'w1', dispatched_at = NULL,
                       lease_expires_at = now() + interval '1 hour', deadline_at = now() + interval '1 hour'
   WHERE id = $1`;

const BATCH = {
  entries: [{ kind: 'model_call_interrupted' as const, round: 1, text: 'half' }],
  runSteps: [],
};

/** Maximum number of index entries and rows that a statement may read; one that reads the backlog reads thousands. */
const FEW = 300;

let world: PersistenceWorld;
/** Data source with one connection that keeps its plans. */
let keeping: DataSource;
beforeAll(async () => {
  world = await PersistenceWorld.open();
  keeping = await createDataSource({ url: world.databaseUrl, poolSize: 1, isPreparing: true }).initialize();
  // Plans are made for empty tables; without autovacuum, no new statistics invalidate the plans.
  for (const table of ['execution', 'journal_entry', 'chat_message', 'chat_session'])
    await world.dataSource.query(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
});
afterAll(async () => {
  await keeping.destroy();
  await world.close();
});

const COUNTED_TABLES = `('execution', 'journal_entry', 'chat_message', 'chat_session')`;

/** Number of rows and index entries read so far; only this connection is active. */
async function readSoFar(): Promise<number> {
  await keeping.query('SELECT pg_stat_force_next_flush()');
  const [row] = await keeping.query<{ read: number }[]>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname IN ${COUNTED_TABLES})::int
            + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ${COUNTED_TABLES})::int AS read`,
  );
  return row?.read ?? Number.NaN;
}

/** Inserts `BACKLOG` sessions with a message, an execution, queued or running, and one fact of its first attempt each. */
async function insertBacklog(tenantId: string, status: 'queued' | 'running'): Promise<void> {
  await keeping.query(
    `WITH session AS (
       INSERT INTO chat_session (id, tenant_id, agent_id, next_turn)
       SELECT gen_random_uuid(), $1, 1, 2 FROM generate_series(1, $2::int) RETURNING id
     ), said AS (
       INSERT INTO chat_message (tenant_id, session_id, turn_number, ordinal, role, content)
       SELECT $1, id, 1, 0, 'user', 'hi' FROM session
     ), queued AS (
       INSERT INTO execution (id, tenant_id, agent_id, agent_version, session_id, turn_number, request, status, attempt, epoch,
                              claim_token, lease_owner, lease_expires_at, deadline_at)
       SELECT gen_random_uuid(), $1, 1, 1, id, 1, '{"input": "hi", "options": {}, "additional_data": {}}', $3, 1, 1,
              gen_random_uuid(), 'w9', now() + interval '1 hour', now() + interval '1 hour'
         FROM session
       RETURNING id
     )
     INSERT INTO journal_entry (execution_id, sequence, tenant_id, epoch, kind, data)
     SELECT id, 1, $1, 1, 'model_call_interrupted', '{}' FROM queued`,
    [tenantId, BACKLOG, status],
  );
}

it('no statement of the way of an execution reads more for a longer line or more that run, by plans from when there was none', async () => {
  await world.dataSource.query(`INSERT INTO worker (id, places) VALUES ('w1', 50)`);
  const limits = { ...DISPATCH_OPTIONS, queueTarget: 50 };
  const acceptances = new ExecutionAcceptanceStore(keeping, limits);
  const claims = new ExecutionClaimStore(keeping);
  const dispatches = new ExecutionDispatchStore(keeping);
  const executions = new ExecutionStore(keeping);
  const assignments = new ExecutionAssignmentStore(keeping);
  const writes = new ExecutionWrites(keeping, new ExecutionEndings(() => Promise.resolve(), 60_000));
  const accept = async (): Promise<string> => {
    const submission = aSubmission({ newSessionId: uuid() });
    await acceptances.accept(submission);
    return submission.executionId;
  };
  const assign = async (): Promise<Assignment> => {
    const assignment = { executionId: await accept(), token: randomToken() };
    await keeping.query(ASSIGN_SQL, [assignment.executionId, assignment.token]);
    return assignment;
  };
  const ways: Record<string, () => Promise<unknown>> = {
    accept: () => acceptances.accept(aSubmission()),
    'accept together': () =>
      Promise.all([acceptances.accept(aSubmission()), acceptances.accept(aSubmission())]),
    underserved: () => findUnderserved(keeping, { tenantShare: 0.5, limit: 10, tenantLimit: 5, after: '' }),
    dispatch: () => dispatches.take({ ...limits, queueTarget: 5 }),
    claim: async () => {
      const id = await accept();
      // Two claims at once run two statements: that for a single claim and that for several.
      await Promise.all([1, 2].map(() => claims.claim(id, CLAIM_OPTIONS)));
      await keeping.query(EXPIRE_SQL, [id]);
      await claims.claim(id, CLAIM_OPTIONS);
    },
    take: async () => assignments.take(await assign(), { workerId: 'w1', leaseMs: 60_000 }),
    requeue: async () => assignments.requeue([await assign()]),
    write: async () => {
      const taken = await assignments.take(await assign(), { workerId: 'w1', leaseMs: 60_000 });
      if (taken.kind !== 'claimed') throw new Error(`expected a claim, got ${taken.kind}`);
      const journal = new PostgresJournal(writes, taken.claim, systemClock);
      await journal.append(BATCH);
      await journal.settle(BATCH, aSettlement());
    },
    find: async () => {
      const accepted = [aSubmission(), aSubmission(), aSubmission()];
      for (const submission of accepted) await acceptances.accept(submission);
      await Promise.all(accepted.map(({ executionId, tenantId }) => executions.find(tenantId, executionId)));
      await Promise.all(
        accepted.map(({ executionId, tenantId }) => executions.findWithRequest(tenantId, executionId)),
      );
    },
  };
  // PostgreSQL keeps a plan from the sixth use on.
  for (let use = 1; use <= 6; use += 1) for (const way of Object.values(ways)) await way();
  await insertBacklog('default', 'queued');
  await insertBacklog('another', 'queued');
  await insertBacklog('another', 'running');
  const read: Record<string, number> = {};
  for (const [name, way] of Object.entries(ways)) {
    const before = await readSoFar();
    await way();
    read[name] = (await readSoFar()) - before;
  }
  expect(Object.entries(read).filter(([, count]) => !(count < FEW))).toEqual([]);
});
