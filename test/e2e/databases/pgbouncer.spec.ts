import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chosen } from '../../support/selection.js';
import { ApiClient } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import { describeWithPgbouncer, startPgbouncer, type Pooler } from '../../support/services/pgbouncer.js';
import { refusalOf } from '../../support/services/refusal-of.js';
import type { TestDatabase } from '../../support/services/test-database.js';

/** With this option a pooler silently drops session settings, in place of refusing the client. */
const IGNORING = 'ignore_startup_parameters = options,statement_timeout,idle_in_transaction_session_timeout';
const PROGRAMS = ['api', 'worker', 'migrate'] as const;
const MODES = ['transaction mode', 'transaction mode, silent', 'session mode, silent'];
const ADVICE = 'set DATABASE_DIRECT_URL to the same database past the pooler';

describeWithPgbouncer('a PgBouncer', () => {
  let database: TestDatabase;
  let pooler: Pooler;
  /** Poolers that accept clients and drop their settings. */
  let silent: readonly Pooler[];

  beforeAll(async () => {
    database = await createSeededDatabase();
    pooler = await startPgbouncer(database.url, ['pool_mode = transaction']);
    silent = await Promise.all(
      ['transaction', 'session'].map((mode) =>
        startPgbouncer(database.url, [`pool_mode = ${mode}`, IGNORING]),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all([pooler, ...silent].map((one) => one.stop()));
  });

  // The short run has each program and each mode once, the full run every pair.
  it.each(
    chosen(
      PROGRAMS.flatMap((program, place) => MODES.map((mode, index) => ({ program, mode, place, index }))),
      ({ place, index }) => place === index,
    ),
  )('is refused by $program as DATABASE_URL alone in $mode, with what to set', async ({ program, index }) => {
    const url = [pooler, ...silent][index]?.urlOf(database.url) ?? '';
    expect(await refusalOf(program, { DATABASE_URL: url })).toContain(ADVICE);
  });

  it('is refused as DATABASE_DIRECT_URL', async () => {
    const url = pooler.urlOf(database.url);
    const [silentUrl = ''] = silent.map(({ urlOf }) => urlOf(database.url));
    const said = await refusalOf('api', { DATABASE_URL: url, DATABASE_DIRECT_URL: silentUrl });
    expect(said).toContain('DATABASE_DIRECT_URL: leads to a connection pooler');
  });

  it('carries runs and their events beside DATABASE_DIRECT_URL, with the queue in PostgreSQL', async () => {
    const settings = { DATABASE_URL: pooler.urlOf(database.url), DATABASE_DIRECT_URL: database.url };
    const deployment = await Deployment.on(database, 'postgres', settings);
    const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
    const api = new ApiClient(url);
    const orders = ['5 cases of roma tomatoes for Friday, please', '2 boxes of lemons, please'];
    const accepted = await Promise.all(orders.map((input) => api.submit({ input })));
    for (const { id } of accepted) {
      expect((await api.events(id)).at(-1)?.event).toBe('result');
      expect(await api.settled(id)).toMatchObject({ status: 'completed' });
    }
    await deployment.close();
  });
});
