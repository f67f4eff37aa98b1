import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#libs/kernel';
import { BackgroundTaskStore } from '#libs/persistence';
import { defineTask, type TaskOutcome, type TaskRecord } from '#libs/tooling';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { PerformTask } from '../../../../apps/worker/src/background-tasks/perform-task.js';
import { createSeededDatabase } from '../../../support/services/migrated-database.js';
import type { TestDatabase } from '../../../support/services/test-database.js';
import { emptyTables } from '../../../support/services/empty-tables.js';

let database: TestDatabase;
let dataSource: DataSource;
let store: BackgroundTaskStore;
beforeAll(async () => {
  database = await createSeededDatabase();
  dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
  store = new BackgroundTaskStore(dataSource);
  await dataSource.query('CREATE TABLE recorded (task uuid, kind text, try_number int)');
});
beforeEach(() => emptyTables(dataSource, 'background_task', 'recorded'));
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

type Outcome = TaskOutcome<string, string>;

/** A task with these outcomes of its tries; `onRecord` is called after a record has been written. */
function performing(perform: () => Promise<Outcome>, onRecord: () => void = () => undefined) {
  const troubles: unknown[] = [];
  const records: TaskRecord<string, string>[] = [];
  const task = defineTask<EntityManager, { n: number }, string, string>({
    kind: 'a-product/count',
    data: z.object({ n: z.number() }),
    timeoutMs: 5_000,
    perform,
    record: async (manager, _data, record, { id, tryNumber }) => {
      records.push(record);
      await manager.query('INSERT INTO recorded VALUES ($1, $2, $3)', [id, record.kind, tryNumber]);
      onRecord();
    },
  });
  const ofTask = {
    manager: dataSource.manager,
    secrets: { read: () => Promise.resolve(null) },
    fetchFor: () => fetch,
  };
  const performTask = new PerformTask({
    ...{ store, tasks: [task], ofTask },
    onTrouble: (error) => troubles.push(error),
  });
  return { performTask, troubles, records };
}

async function order(kind = 'a-product/count', data: JsonObject = { n: 1 }): Promise<string> {
  const id = randomUUID();
  await dataSource.transaction((manager) => store.order(manager, { id, kind, tenantId: 'default', data }));
  return id;
}

const waiting = (): Promise<{ tries: number; held: boolean; due_in: number }[]> =>
  dataSource.query(
    `SELECT tries, claim_token IS NOT NULL AS held, round(extract(epoch FROM due_at - now()))::int AS due_in FROM background_task`,
  );
const recorded = (): Promise<{ kind: string; try_number: number }[]> =>
  dataSource.query('SELECT kind, try_number FROM recorded');

describe('PerformTask', () => {
  it('records what is done, and the task is gone', async () => {
    const { performTask } = performing(() => Promise.resolve({ kind: 'done', result: 'ok' }));
    await performTask.execute(await order());
    expect(await waiting()).toEqual([]);
    expect(await recorded()).toEqual([{ kind: 'done', try_number: 1 }]);
  });

  const broken = new Error('broken');
  it.each<[string, () => Promise<Outcome>, number, unknown[]]>([
    ['wants another try', () => Promise.resolve({ kind: 'again', fault: 'away' }), 5, []],
    ['wants it later', () => Promise.resolve({ kind: 'again', fault: 'away', afterMs: 60_000 }), 60, []],
    [
      'says what broke',
      () => Promise.resolve({ kind: 'again', fault: 'away', trouble: broken }),
      5,
      [broken],
    ],
    ['throws', () => Promise.reject(broken), 5, [broken]],
  ])('puts off a task that %s', async (_what, perform, dueIn, logged) => {
    const { performTask, troubles } = performing(perform);
    const id = await order();
    await performTask.execute(id);
    expect(troubles).toEqual(logged);
    expect(await waiting()).toEqual([{ tries: 1, held: false, due_in: dueIn }]);
    expect(await recorded()).toEqual([{ kind: 'put_off', try_number: 1 }]);
    await performTask.execute(id);
    expect(await recorded()).toHaveLength(1);
  });

  it.each<[string, Outcome]>([
    ['no other try would do better', { kind: 'failed', fault: 'refused' }],
    ['it was the last try', { kind: 'again', fault: 'away' }],
  ])('gives a task up when %s', async (_what, outcome) => {
    const id = await order();
    if (outcome.kind === 'again') await dataSource.query('UPDATE background_task SET tries = 7');
    const { performTask, records } = performing(() => Promise.resolve(outcome));
    await performTask.execute(id);
    expect(await waiting()).toEqual([]);
    expect(records).toEqual([{ kind: 'given_up', fault: 'fault' in outcome ? outcome.fault : null }]);
  });

  it('gives a task up whose worker died over the last try, without another one', async () => {
    const id = await order();
    await dataSource.query('UPDATE background_task SET tries = 8');
    let tries = 0;
    const { performTask, records, troubles } = performing(() => {
      tries += 1;
      return Promise.resolve({ kind: 'done', result: 'ok' });
    });
    await performTask.execute(id);
    expect([tries, records, troubles.length]).toEqual([0, [{ kind: 'given_up', fault: null }], 1]);
  });

  it.each([
    ['of a kind that this release does not know', 'a-product/forgotten', { n: 1 }],
    ['with data that this release cannot read', 'a-product/count', { n: 'of a later release' }],
  ])('keeps a task %s, with all its tries', async (_what, kind, data) => {
    const id = await order(kind, data);
    const perform = () => Promise.resolve<Outcome>({ kind: 'done', result: 'ok' });
    const { performTask, troubles } = performing(perform);
    for (let claims = 1; claims <= 10; claims += 1) {
      await performTask.execute(id);
      expect(await waiting()).toEqual([{ tries: 0, held: false, due_in: 30 }]);
      expect([await recorded(), troubles.length]).toEqual([[], claims]);
      await dataSource.query('UPDATE background_task SET due_at = now()');
    }
    await dataSource.query(`UPDATE background_task SET kind = 'a-product/count', data = '{ "n": 1 }'`);
    await performTask.execute(id);
    expect(await recorded()).toEqual([{ kind: 'done', try_number: 1 }]);
  });

  it('takes no try from the worker that took over from a release without the task', async () => {
    const first = await store.claim(await order(), randomUUID(), 60_000);
    if (first === null) throw new Error('nobody else is at it');
    await dataSource.query('UPDATE background_task SET lease_expires_at = now()');
    await store.claim(first.taskId, randomUUID(), 60_000);
    expect(await store.leave(first, 30_000)).toBe(false);
    expect(await waiting()).toMatchObject([{ tries: 2, held: true }]);
  });

  it('has a task tried by one worker at a time', async () => {
    const id = await order();
    const { promise: held, resolve: release } = Promise.withResolvers<Outcome>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    let tries = 0;
    const { performTask } = performing(() => {
      tries += 1;
      begin(undefined);
      return tries === 1 ? held : Promise.resolve<Outcome>({ kind: 'done', result: 'too soon' });
    });
    const first = performTask.execute(id);
    await begun;
    await performTask.execute(id);
    release({ kind: 'done', result: 'ok' });
    await first;
    expect(tries).toBe(1);
  });

  it('records nothing after another worker took over', async () => {
    const id = await order();
    const { promise: held, resolve: release } = Promise.withResolvers<Outcome>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    const slow = performing(() => {
      begin(undefined);
      return held;
    });
    const first = slow.performTask.execute(id);
    await begun;
    await dataSource.query('UPDATE background_task SET lease_expires_at = now()');
    const quick = performing(() => Promise.resolve({ kind: 'done', result: 'ok' }));
    await quick.performTask.execute(id);
    release({ kind: 'failed', fault: 'too late' });
    await first;
    expect(await recorded()).toEqual([{ kind: 'done', try_number: 2 }]);
  });

  it.each<[string, number, number, Outcome]>([
    ['of the first try', 1, 5, { kind: 'done', result: 'ok' }],
    ['of a later try', 4, 320, { kind: 'failed', fault: 'refused' }],
    ['of a try that puts it off', 2, 20, { kind: 'again', fault: 'away' }],
    ['of the last try', 8, 3_600, { kind: 'done', result: 'ok' }],
    ['of a task that is given up', 9, 3_600, { kind: 'done', result: 'never tried' }],
  ])(
    'puts off the task where the record %s cannot be written: both or neither',
    async (_what, tryNumber, dueIn, outcome) => {
      const id = await order();
      await dataSource.query('UPDATE background_task SET tries = $1', [tryNumber - 1]);
      const refused = new Error('the record is refused');
      const { performTask, troubles } = performing(
        () => Promise.resolve(outcome),
        () => {
          throw refused;
        },
      );
      await expect(performTask.execute(id)).resolves.toBeUndefined();
      expect(await waiting()).toEqual([{ tries: tryNumber, held: false, due_in: dueIn }]);
      expect(troubles.at(-1)).toBe(refused);
      expect(await recorded()).toEqual([]);
    },
  );
});

describe('BackgroundTaskStore.take', () => {
  const take = (queueTarget = 10, tenantTarget = 10) =>
    store.take({ queueTarget, tenantTarget, redispatchAfterMs: 60_000 });

  it('takes what is due once, and again what could not be sent', async () => {
    const id = await order();
    expect(await take()).toEqual([{ taskId: id }]);
    expect(await take()).toEqual([]);
    await store.requeue([{ taskId: id }]);
    expect(await take()).toEqual([{ taskId: id }]);
  });

  it('leaves room: for every tenant, and in the queue', async () => {
    for (let index = 0; index < 5; index += 1) await order();
    await dataSource.query(
      `INSERT INTO background_task (id, tenant_id, kind, data) VALUES (gen_random_uuid(), 'other', 'k', '{}')`,
    );
    expect(await take(10, 2)).toHaveLength(3);
    expect(await take(10, 2)).toEqual([]);
    expect(await take(4, 10)).toHaveLength(1);
  });
});
