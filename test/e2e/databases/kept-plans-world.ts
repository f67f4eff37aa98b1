import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { Deployment } from '../../support/services/deployment.js';
import { openWhole } from '../../support/services/open-whole.js';
import { startOwnPostgres } from '../../support/services/own-postgres.js';
import { WebhookReceiver } from '../../support/services/webhook-receiver.js';
import { insertFinished } from './insert-finished-runs.js';
import { readablePaths } from './readable-paths.js';

/** Statements that each connection runs before its plans are kept. */
const USES = 7;
/** Runs of every flow whose blocks are counted. */
const COUNTED = 3;

/** Blocks that one call of a statement reads, on average. */
export interface StatementRead {
  readonly statement: string;
  /** By plans that were made while the tables were empty. */
  readonly kept: number;
  /** By plans that were made anew, with the statistics of the full tables. */
  readonly fresh: number;
}

/**
 * A real API and a real worker on a PostgreSQL that counts each statement. Without autovacuum no statistics come, which
 * would have PostgreSQL make its plans anew.
 */
export class KeptPlansWorld {
  private constructor(
    private readonly deployment: Deployment,
    private readonly api: ApiClient,
    private readonly database: Client,
    private readonly webhooks: WebhookReceiver,
    private readonly stopPostgres: () => Promise<void>,
  ) {}

  static open(): Promise<KeptPlansWorld> {
    return openWhole(async (begun) => {
      const stop = await startOwnPostgres({
        shared_preload_libraries: 'pg_stat_statements',
        'pg_stat_statements.max': 2_000,
      });
      begun({ close: stop });
      const deployment = begun(await Deployment.open('postgres', { DATABASE_POOL_SIZE: '2' }));
      const database = new Client({ connectionString: deployment.databaseUrl });
      await database.connect();
      begun({ close: () => database.end() });
      await database.query(`CREATE EXTENSION pg_stat_statements; UPDATE llm SET model = 'sim-script'`);
      const webhooks = begun(await WebhookReceiver.listen());
      const [{ url }] = await Promise.all([deployment.startApi(), deployment.startWorker()]);
      return new KeptPlansWorld(deployment, new ApiClient(url), database, webhooks, stop);
    });
  }

  /** Every statement whose plan the service keeps, with what it reads among `rows` finished executions. */
  async readAmong(rows: number): Promise<readonly StatementRead[]> {
    for (let use = 0; use < USES; use += 1) await this.useAll();
    await this.whileUsed(insertFinished(this.database, rows));
    const kept = await this.count();
    await this.database.query('ANALYZE');
    await this.useAll();
    const fresh = await this.count();
    return [...kept].flatMap(([id, { statement, blocks }]) => {
      const again = fresh.get(id);
      return again === undefined ? [] : [{ statement, kept: blocks, fresh: again.blocks }];
    });
  }

  async close(): Promise<void> {
    await this.database.end();
    await this.deployment.close();
    await this.webhooks.close();
    await this.stopPostgres();
  }

  /** Keeps all connections in use: an idle one is closed, and its plans with it. */
  private async whileUsed(work: Promise<void>): Promise<void> {
    const done = new AbortController();
    const working = work.finally(() => done.abort());
    const isDone = (): boolean => done.signal.aborted;
    while (!isDone()) await this.useAll();
    await working;
  }

  /**
   * Without the functions of the queue's library, which plan for themselves, and without its reads of jobs: a finished job
   * is removed, and without autovacuum its dead row is still read, so that the blocks grow with the duration of the test.
   */
  private async count(): Promise<Map<string, { statement: string; blocks: number }>> {
    await this.database.query('SELECT pg_stat_statements_reset()');
    for (let use = 0; use < COUNTED; use += 1) await this.useAll();
    const { rows } = await this.database.query<{ id: string; statement: string; blocks: number }>(
      `SELECT queryid::text AS id, query AS statement,
              ((shared_blks_hit + shared_blks_read) / calls)::float8 AS blocks
         FROM pg_stat_statements
        WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND toplevel AND query !~ 'pg_stat_statements|^ANALYZE|insert_finished|planned anew|\\mFROM job\\M'
          AND NOT EXISTS (SELECT FROM pg_proc JOIN pg_namespace space ON space.oid = pronamespace
                           WHERE nspname LIKE 'bullmq%' AND query ~ ('\\m' || proname || '\\('))`,
    );
    return new Map(rows.map(({ id, ...read }) => [id, read]));
  }

  /** Every flow of an execution, and every read of the API. */
  private async useAll(): Promise<void> {
    const said = { input: scripted({ text: 'Done.' }) };
    const first = await this.api.submit({ ...said, webhook: { url: this.webhooks.url } });
    await this.api.events(first.id);
    const { session_uuid } = await this.api.settled(first.id);
    const key = { 'idempotency-key': randomUUID() };
    await Promise.all(
      [key, key, {}].map((headers) =>
        this.api.post('/api/agents/1/execute/', { ...said, session_uuid }, { ...headers, prefer: 'wait=60' }),
      ),
    );
    const slow = await this.api.submit({
      input: scripted({ text: 'Late.', latency: { headers_ms: 20_000 } }),
    });
    await this.api.post(`/api/executions/${slow.id}/cancel/`, {});
    await this.api.settled(slow.id);
    const ids = { executions: first.id, sessions: session_uuid, agents: '1', llms: '1' };
    for (const path of readablePaths(ids)) await this.read(path);
  }

  private async read(path: string): Promise<void> {
    const response = await fetch(`${this.api.url}${path}`);
    await response.text();
    if (response.status >= 500) throw new Error(`GET ${path}: ${response.status}`);
  }
}
