import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { QuestionAccounts } from '#libs/persistence';
import { waitFor } from '../../support/services/wait-for.js';
import { WorkerWorld } from '../worker/worker-world.js';

let world: WorkerWorld;
beforeAll(async () => {
  world = await WorkerWorld.open();
});
afterAll(() => world.close());

const rowsOf = (id: string): Promise<Record<string, unknown>[]> =>
  world.dataSource.query(
    `SELECT scope, round, try_number, state, model, agent_id, tenant_id, session_id IS NOT NULL AS has_session,
            input_tokens, total_tokens, cost_usd
       FROM usage_log WHERE execution_id = $1 AND purpose = 'embedding' ORDER BY scope, round`,
    [id],
  );

it('a call has unknown cost until that is reported', async () => {
  const { id } = await world.submit();
  const accounts = new QuestionAccounts(world.dataSource, {
    tenantId: 'default',
    executionId: id,
    scope: '',
  });
  const call = await accounts.open('m');
  const announced = {
    ...{ scope: '', round: 1, try_number: 1, state: 'unknown', model: 'm', agent_id: 1 },
    ...{ tenant_id: 'default', has_session: true, input_tokens: null, total_tokens: null, cost_usd: null },
  };
  expect(await rowsOf(id)).toEqual([announced]);
  await accounts.close(call, { state: 'known', model: 'm-2', inputTokens: 3, costUsd: '0.0003' });
  const known = { state: 'known', model: 'm-2', input_tokens: '3', total_tokens: '3', cost_usd: '0.0003' };
  expect(await rowsOf(id)).toEqual([{ ...announced, ...known }]);
});

it('concurrent calls of any processes have a row each', async () => {
  const { id } = await world.submit();
  const of = (scope: string) =>
    new QuestionAccounts(world.dataSource, { tenantId: 'default', executionId: id, scope });
  const [one, other, inside] = [of(''), of(''), of('1.0')];
  const calls = await Promise.all([
    ...[1, 2, 3, 4].flatMap(() => [one.open('m'), other.open('m')]),
    inside.open('m'),
  ]);
  expect(calls.slice(0, 8).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(calls[8]).toBe(1);
  expect(await rowsOf(id)).toHaveLength(9);
});

it('a number drawn by another process is drawn again', async () => {
  const { id } = await world.submit();
  const accounts = new QuestionAccounts(world.dataSource, {
    tenantId: 'default',
    executionId: id,
    scope: '',
  });
  const other = world.dataSource.createQueryRunner();
  await other.startTransaction();
  await other.query(
    `INSERT INTO usage_log (execution_id, purpose, round, state, tenant_id, model)
     VALUES ($1, 'embedding', 1, 'unknown', 'default', 'm')`,
    [id],
  );
  const call = accounts.open('m');
  await waitFor(isWaiting, { description: 'the draw of the same number' });
  await other.commitTransaction();
  await other.release();
  expect(await call).toBe(2);
  expect(await rowsOf(id)).toHaveLength(2);
});

/** True if a statement in this database waits for the lock of another transaction. */
async function isWaiting(): Promise<boolean> {
  const waiting = await world.dataSource.query<unknown[]>(
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

it('a call of an agent inside an execution is on its account', async () => {
  const { id } = await world.submit();
  await world.dataSource.query(
    `INSERT INTO journal_entry (execution_id, tenant_id, sequence, epoch, version, scope, kind, data)
     VALUES ($1, 'default', 1, 1, 4, '1.0', 'scope_opened', '{"agentId": 9, "name": "clerk", "input": ""}')`,
    [id],
  );
  const inside = { tenantId: 'default', executionId: id, scope: '1.0' };
  await new QuestionAccounts(world.dataSource, inside).open('m');
  expect(await rowsOf(id)).toMatchObject([{ scope: '1.0', agent_id: 9 }]);
});
