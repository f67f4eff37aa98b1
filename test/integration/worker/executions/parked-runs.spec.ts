import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { reservePort } from '../../../support/services/reserve-port.js';
import { pino } from 'pino';
import { parseEnv } from '#libs/config';
import { decideCalls, Dispatcher, type DispatchedExecution } from '#libs/executions';
import { ApprovalStore, ExecutionDispatchStore, ExecutionTokenStore } from '#libs/persistence';
import type { ToolDefinition } from '#libs/tooling';
import { Housekeeper } from '../../../../apps/worker/src/housekeeping/housekeeper.js';
import { createWorkerApp } from '../../../../apps/worker/src/worker.module.js';
import { aCall, aModelAnswer } from '../../../support/builders/model-answer.js';
import { aSubmission } from '../../../support/builders/submission.js';
import { aTool } from '../../../support/builders/tool.js';
import { SequenceModel } from '../../../support/fakes/scripted-model.js';
import { DISPATCH_OPTIONS } from '../../persistence/persistence-world.js';
import { WorkerWorld } from '../worker-world.js';

const TIMEOUT_MS = 120_000;
const ANN = { keyId: 'k1', person: 'ann@example.com' };
const TOOLS: readonly ToolDefinition[] = [{ ...aTool('charge'), approval: 'always' }];

let world: WorkerWorld;
let approvals: ApprovalStore;
let workers: INestApplicationContext[] = [];
beforeAll(async () => {
  world = await WorkerWorld.open();
  approvals = new ApprovalStore(world.dataSource);
});
afterEach(async () => {
  for (const worker of workers) await worker.close();
  workers = [];
}, TIMEOUT_MS);
afterAll(() => world.close());

const model = () =>
  new SequenceModel([
    aModelAnswer({ toolCalls: [aCall('charge', 'c1', {})] }),
    aModelAnswer({ text: 'Done.' }),
  ]);

async function park(): Promise<string> {
  await world.offer(TOOLS);
  const submission = aSubmission();
  const { id } = await world.submit({
    ...submission,
    tokens: [{ name: 'crm', sealed: 'sealed' }],
    request: { ...submission.request, token_names: ['crm'] },
  });
  expect(await world.run(id, model(), TOOLS)).toMatchObject({ status: 'requires_action' });
  return id;
}

/** Moves all timestamps in the database into the past by this interval. */
async function passTime(interval: string): Promise<void> {
  await world.dataSource.query(`
    DO $$
      DECLARE stamped record;
      BEGIN
        SET LOCAL session_replication_role = replica;
        FOR stamped IN
          SELECT tables.table_name,
                 string_agg(format('%1$I = %1$I - interval ''${interval}''', column_name), ', ') AS changes
            FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type = 'timestamp with time zone'
           GROUP BY tables.table_name
        LOOP
          EXECUTE format('UPDATE %I SET %s', stamped.table_name, stamped.changes);
        END LOOP;
      END $$`);
}

/** Starts a new housekeeping worker and stops it after one run of each periodic task; returns logs of failed tasks. */
async function sweep(): Promise<string[]> {
  const failed: string[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void (line.includes('task failed') && failed.push(line)) },
  );
  const port = await reservePort();
  const env = { DATABASE_URL: world.databaseUrl, WORKER_ROLES: 'housekeeping', WORKER_PORT: String(port) };
  const worker = await createWorkerApp(parseEnv(env), logger);
  workers.push(worker);
  await worker.get(Housekeeper).stop();
  return failed;
}

const find = (id: string) => world.executions.find('default', id);
const YES = [{ call: '1.0', approved: true, reason: '' }];

it(
  'an execution that waits for a person is there after months of sweeps and a new worker, with all that it needs',
  async () => {
    const id = await park();
    await world.dataSource.query(
      `UPDATE tenant SET settings = settings || '{"retention": {"days": 1}}' WHERE id = 'default'`,
    );
    const before = await find(id);
    await passTime('300 days');
    expect(await sweep()).toEqual([]);
    expect(await find(id)).toMatchObject({ status: 'requires_action', attempt: before?.attempt });
    expect(await approvals.decide('default', id, YES, ANN)).toEqual({ kind: 'decided', isRunnable: true });
    const kept = await new ExecutionTokenStore(world.dataSource).read('default', id);
    expect(kept?.tokens).toEqual([{ name: 'crm', sealed: 'sealed' }]);
    expect(await world.run(id, new SequenceModel([aModelAnswer({ text: 'Done.' })]), TOOLS)).toMatchObject({
      status: 'completed',
    });
  },
  TIMEOUT_MS,
);

it('a decision counts while the queue is down, and the execution is sent when it is back', async () => {
  const id = await park();
  let isDown = true;
  const sent: string[] = [];
  const store = new ExecutionDispatchStore(world.dataSource);
  const dispatcher = new Dispatcher<DispatchedExecution>(
    { take: () => store.take(DISPATCH_OPTIONS), requeue: (due) => store.requeue(due) },
    (due) => {
      if (isDown) return Promise.reject(new Error('the queue is down'));
      sent.push(...due.map(({ executionId }) => executionId));
      return Promise.resolve();
    },
    () => undefined,
  );
  let triggers = 0;
  const deps = {
    ...{ decisions: approvals, executions: world.executions },
    dispatcher: { trigger: () => void (triggers += 1) },
  };
  const decided = await decideCalls(deps, 'default', id, YES, ANN);
  expect(decided).toMatchObject({ kind: 'decided', view: { status: 'queued', required_action: null } });
  await expect(dispatcher.dispatch()).rejects.toThrow('the queue is down');
  isDown = false;
  expect(await decideCalls(deps, 'default', id, YES, ANN)).toMatchObject({ kind: 'decided' });
  await dispatcher.dispatch();
  expect([triggers, sent]).toEqual([2, [id]]);
  expect(await world.run(id, new SequenceModel([aModelAnswer({ text: 'Done.' })]), TOOLS)).toMatchObject({
    status: 'completed',
  });
});
