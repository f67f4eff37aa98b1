import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ModelPort, type ModelAnswer } from '#libs/agent-core';
import { aCall, aModelAnswer } from '../../support/builders/model-answer.js';
import { aTool } from '../../support/builders/tool.js';
import { SequenceModel } from '../../support/fakes/scripted-model.js';
import { whenAllRun } from '../../support/selection.js';
import { databasesFolder } from '../../support/services/run-folder.js';
import { requireServiceAddress } from '../../support/services/service-address.js';
import { waitFor } from '../../support/services/wait-for.js';
import { WorkerWorld } from '../../integration/worker/worker-world.js';
import { PostgresServer } from '../chaos/cluster/postgres-server.js';

const TIMEOUT_MS = 120_000;
/** The delay is longer than a test, so that a commit without a flush stays in memory and is lost with the server. */
const SETTINGS = { synchronous_commit: 'on', wal_writer_delay: '10000ms', autovacuum: 'off' };
const CHARGE = aModelAnswer({ toolCalls: [aCall('charge', 'c1')] });

/** Claims are committed without a flush: a crash of PostgreSQL may lose one while its attempt lives. */
describe('a claim that PostgreSQL forgot', () => {
  let server: PostgresServer;
  let world: WorkerWorld;
  const shared = requireServiceAddress('CAPSTAN_TEST_POSTGRES_URL');

  beforeAll(async () => {
    const home = join(databasesFolder(requireServiceAddress('CAPSTAN_TEST_RUN_FOLDER')), randomUUID());
    server = await PostgresServer.start(home, SETTINGS);
    process.env['CAPSTAN_TEST_POSTGRES_URL'] = server.url;
    world = await WorkerWorld.open();
  }, TIMEOUT_MS);
  afterAll(async () => {
    await world.close();
    process.env['CAPSTAN_TEST_POSTGRES_URL'] = shared;
    await server.stop();
  }, TIMEOUT_MS);

  let charges = 0;
  const charge = aTool('charge', {
    effect: 'unsafe',
    run: () => {
      charges += 1;
      return Promise.resolve({ result: { status: 'success', result: {} } });
    },
  });

  /** Begins an attempt that waits for its model while the database has lost its claim. */
  async function forgottenAttempt() {
    await world.offer([charge]);
    const { id } = await world.submit();
    // A commit with a flush also flushes all commits before it.
    await world.dataSource.query('CREATE TABLE IF NOT EXISTS flushed ()');
    await world.dataSource.query('DROP TABLE flushed');
    const model = new HeldModel();
    const worker = world.useCase(model, [charge]);
    const ended = worker.execute(id, new AbortController().signal);
    await model.asked;
    expect(await rowOf(id)).toMatchObject({ status: 'running', attempt: 1 });
    await server.kill();
    await server.restart();
    // Otherwise this test would not cover a lost claim.
    await waitFor(
      () =>
        rowOf(id).then(
          () => true,
          () => false,
        ),
      { description: 'the server to answer' },
    );
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempt: 0, claim_token: null });
    charges = 0;
    return { id, model, worker, ended };
  }

  async function rowOf(id: string): Promise<object | undefined> {
    const [row] = await world.dataSource.query<object[]>(
      'SELECT status, attempt, epoch, claim_token FROM execution WHERE id = $1',
      [id],
    );
    return row;
  }

  const factsOf = (id: string): Promise<{ epoch: number; kind: string }[]> =>
    world.dataSource.query(
      'SELECT epoch, kind FROM journal_entry WHERE execution_id = $1 ORDER BY sequence',
      [id],
    );

  const successor = () => new SequenceModel([CHARGE, aModelAnswer({ text: 'of the successor' })]);

  it(
    'lets its attempt write nothing, neither before nor after another one has ended the execution under the same numbers',
    async () => {
      const { id, model, ended } = await forgottenAttempt();
      const view = await world.run(id, successor(), [charge]);
      expect(view).toMatchObject({ status: 'completed', attempt: 1 });
      const [facts, row] = [await factsOf(id), await rowOf(id)];

      model.answer(CHARGE);
      await ended;

      expect([await factsOf(id), await rowOf(id), charges]).toEqual([facts, row, 1]);
      expect(facts.filter(({ kind }) => kind === 'execution_settled')).toHaveLength(1);
      // The queue still holds the job of the first dispatch.
      expect(await world.run(id, successor(), [charge])).toEqual(view);
      expect(charges).toBe(1);
    },
    TIMEOUT_MS,
  );

  whenAllRun(() => {
    it(
      'lets its attempt write nothing before a new claim, and a new claim runs it again',
      async () => {
        const { id, model, worker, ended } = await forgottenAttempt();
        // A second job of the execution does not begin an attempt beside the first one.
        await worker.execute(id, new AbortController().signal);
        expect(await rowOf(id)).toMatchObject({ status: 'queued', attempt: 0 });

        model.answer(CHARGE);
        await ended;
        expect([await factsOf(id), charges]).toEqual([[], 0]);

        expect(await world.run(id, successor(), [charge])).toMatchObject({ status: 'completed', attempt: 1 });
        expect(charges).toBe(1);
      },
      TIMEOUT_MS,
    );
  });
});

/** Answers when the test calls `answer`. */
class HeldModel extends ModelPort {
  private readonly called = Promise.withResolvers<undefined>();
  private readonly answered = Promise.withResolvers<ModelAnswer>();

  get asked(): Promise<undefined> {
    return this.called.promise;
  }

  answer(answer: ModelAnswer): void {
    this.answered.resolve(answer);
  }

  override call(): Promise<ModelAnswer> {
    this.called.resolve(undefined);
    return this.answered.promise;
  }
}
