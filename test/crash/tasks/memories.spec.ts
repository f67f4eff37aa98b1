import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { whenAllRun } from '../../support/selection.js';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { scriptModel } from '../../support/services/script-model.js';
import { waitFor } from '../../support/services/wait-for.js';

const QUICK = { LOG_LEVEL: 'error', DISPATCH_INTERVAL_MS: '100', DISPATCH_AGAIN_SECONDS: '1' };
const LEARNT = JSON.stringify({
  remember: [{ text: 'Sings.', said: 'I sing' }],
  update: [],
  forget: [],
});

let deployment: Deployment;
let api: ApiClient;
let database: Client;
beforeAll(async () => {
  deployment = await Deployment.open('postgres', QUICK);
  database = new Client({ connectionString: deployment.databaseUrl });
  await database.connect();
  await database.query(`UPDATE llm SET model = 'sim-script'`);
  await database.query(`UPDATE agent SET config = '{"memory": {"enabled": true}}', tools = '{}'`);
  api = new ApiClient((await deployment.startApi()).url);
});
afterAll(async () => {
  await database.end();
  await deployment.close();
});
beforeEach(async () => {
  await fetch(`${deployment.simulatorUrl}/__control/scripts`, { method: 'DELETE' });
  await database.query(`TRUNCATE memory, memory_extraction`);
});

interface Row {
  readonly tries: number;
  readonly outcome: string | null;
}

async function findRow(executionId: string, is: (row: Row) => boolean): Promise<Row | null> {
  const { rows } = await database.query<Row>(
    `SELECT tries, outcome FROM memory_extraction WHERE execution_id = $1`,
    [executionId],
  );
  return rows[0] !== undefined && is(rows[0]) ? rows[0] : null;
}

function waitForRow(executionId: string, description: string, is: (row: Row) => boolean): Promise<Row> {
  return waitFor(() => findRow(executionId, is), { description });
}

/** Expires the lease of the killed worker now, in place of after half a minute. */
function waitUntilLearnt(executionId: string): Promise<Row> {
  return waitFor(
    async () => {
      await database.query(
        `UPDATE memory_extraction SET lease_expires_at = now() WHERE ended_at IS NULL AND tries = 1`,
      );
      return findRow(executionId, ({ outcome }) => outcome === 'learnt');
    },
    { description: 'what is to be learnt' },
  );
}

const learntFrom = async (executionId: string) => ({
  memories: (await database.query(`SELECT text, execution_id FROM memory ORDER BY id`)).rows as object[],
  usage: (
    await database.query(
      `SELECT try_number AS try, state FROM usage_log WHERE execution_id = $1 AND purpose = 'memory' ORDER BY try_number`,
      [executionId],
    )
  ).rows as object[],
});

const EXECUTOR = { user_id: 'mara', name: 'Mara', email: 'mara@example.com' };

describe('an execution whose worker is killed', () => {
  it('while a model is asked what to remember is learnt of by another worker, once', async () => {
    const hangs = { faults: [{ on: { first: 1 }, fault: { kind: 'hang_before_headers' } }], text: 'never' };
    await scriptModel(deployment, 'I sing', { text: 'How nice.' }, hangs, { text: LEARNT });
    const victim = await deployment.startWorker();
    const { id } = await api.submit({ input: 'I sing.', executor: EXECUTOR });
    await waitForRow(id, 'the model to be asked', ({ tries }) => tries === 1);
    const survivor = await deployment.startWorker();
    await victim.kill();
    // The killed worker's lease would last for half a minute.
    await database.query(`UPDATE memory_extraction SET lease_expires_at = now()`);

    await waitForRow(id, 'what is to be learnt', ({ outcome }) => outcome === 'learnt');
    expect(await learntFrom(id)).toEqual({
      memories: [{ text: 'Sings.', execution_id: id }],
      usage: [
        { try: 1, state: 'unknown' },
        { try: 2, state: 'known' },
      ],
    });
    await survivor.kill();
  });

  whenAllRun(() => {
    it('before what it has learnt is committed is learnt of by another worker, once', async () => {
      await scriptModel(deployment, 'I sing', { text: 'How nice.' }, { text: LEARNT }, { text: LEARNT });
      const victim = await deployment.startWorker();
      const lock = new Client({ connectionString: deployment.databaseUrl });
      await lock.connect();
      // The memory extraction waits for this table at the end of its transaction.
      await lock.query('BEGIN; LOCK TABLE memory IN SHARE MODE');
      const { id } = await api.submit({ input: 'I sing.', executor: EXECUTOR });
      await waitFor(
        async () => {
          const { rows } = await database.query<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'memory'::regclass`,
          );
          return (rows[0]?.waiting ?? 0) > 0;
        },
        { description: 'the memory to be written' },
      );
      await victim.kill();
      await lock.query('ROLLBACK');
      await lock.end();
      const survivor = await deployment.startWorker();
      // The killed worker's connection may still commit, which leaves nothing to do.
      await waitUntilLearnt(id);
      const { memories, usage } = await learntFrom(id);
      expect(memories).toEqual([{ text: 'Sings.', execution_id: id }]);
      expect(usage).toEqual([
        { try: 1, state: 'unknown' },
        { try: 2, state: 'known' },
      ]);
      await survivor.kill();
    });

    it('as soon as it has ended is learnt of by another worker, once', async () => {
      await scriptModel(deployment, 'I sing', { text: 'How nice.' }, { text: LEARNT }, { text: LEARNT });
      const victim = await deployment.startWorker();
      const { id } = await api.submit({ input: 'I sing.', executor: EXECUTOR });
      await api.settled(id);
      await victim.kill();
      const survivor = await deployment.startWorker();
      await waitUntilLearnt(id);
      const { memories, usage } = await learntFrom(id);
      expect(memories).toEqual([{ text: 'Sings.', execution_id: id }]);
      expect(usage.slice(0, -1)).toEqual(
        usage.slice(0, -1).map((_row, at) => ({ try: at + 1, state: 'unknown' })),
      );
      expect(usage.at(-1)).toEqual({ try: usage.length, state: 'known' });
      await survivor.kill();
    });

    it('once what it has learnt is committed is not learnt of again', async () => {
      const forgettable = JSON.stringify({ remember: [], update: [], forget: [] });
      await scriptModel(deployment, 'I sing', { text: 'How nice.' }, { text: LEARNT }, { text: LEARNT });
      await scriptModel(deployment, 'Goodbye', { text: 'Bye.' }, { text: forgettable });
      const victim = await deployment.startWorker();
      const { id } = await api.submit({ input: 'I sing.', executor: EXECUTOR });
      await waitForRow(id, 'what is to be learnt', ({ outcome }) => outcome === 'learnt');
      await victim.kill();
      const survivor = await deployment.startWorker();
      // Remaining work on the first execution would be done before the second one.
      const next = await api.submit({ input: 'Goodbye.', executor: EXECUTOR });
      await waitForRow(next.id, 'the next to be looked at', ({ outcome }) => outcome !== null);
      expect(await learntFrom(id)).toEqual({
        memories: [{ text: 'Sings.', execution_id: id }],
        usage: [{ try: 1, state: 'known' }],
      });
      await survivor.kill();
    });
  });
});
