import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  createPostgresBackend,
  Queue,
  setDefaultBackendFactory,
  type PostgresConnectionOptions,
  Worker,
} from 'bullmq';
import { Client, type Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { executeJob } from '#libs/payloads';
import { watchedConnections } from '#libs/persistence';
import { createQueuePool, JobProducer, QueueModule } from '#libs/queue';
import { createSeededDatabase } from '../../support/services/migrated-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';

/**
 * `libs/queue/src/postgres-backend.ts` replaces one member of BullMQ's PostgreSQL backend by a call of another member, and
 * `migrate-queue-schema.ts` replaces one SQL function by one that does nothing. BullMQ guarantees neither internal: after
 * a change of its version, these tests must pass, or both files must be rewritten.
 */
const OVERRIDE = 'libs/queue/src/postgres-backend.ts';
const ROOT = new URL('../../../', import.meta.url);
const NAME = 'execute';

const readVersion = (path: string): { version?: string; dependencies?: Record<string, string> } =>
  JSON.parse(readFileSync(new URL(path, ROOT), 'utf8')) as { version?: string };
const installed = readVersion('node_modules/bullmq/package.json').version ?? 'unknown';

/** Fails with instructions if BullMQ differs from the version for which the override was written. */
function assertUnchanged(holds: boolean, change: string): void {
  if (!holds) throw new Error(`BullMQ ${installed}: ${change}. Look through ${OVERRIDE} and this file.`);
}

describe(`BullMQ ${installed}, of which ${OVERRIDE} replaces a member`, () => {
  let database: TestDatabase;
  let administrator: Client;
  let app: INestApplicationContext;
  let ours: Queue;
  let pool: Pool;
  let theirs: Queue;

  beforeAll(async () => {
    database = await createSeededDatabase();
    administrator = new Client({ connectionString: database.url });
    await administrator.connect();
    const connections = watchedConnections({});
    const module = QueueModule.forRoot({
      redisUrl: null,
      databaseUrl: database.url,
      connections,
      onError: () => undefined,
    });
    app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    ours = app.get<Queue>(getQueueToken(NAME));
    // Sets the backend of the next queue only; the module's queues have theirs already.
    setDefaultBackendFactory(createPostgresBackend);
    pool = createQueuePool(database.url, connections);
    theirs = new Queue(NAME, { connection: pool });
    await theirs.waitUntilReady();
  });
  afterAll(async () => {
    await theirs.close();
    await pool.end();
    await app.close();
    await administrator.end();
    await database.drop();
  });
  beforeEach(() => ours.obliterate({ force: true }));

  it('is the exact version that package.json asks for', () => {
    const wanted = readVersion('package.json').dependencies?.['bullmq'];
    assertUnchanged(
      wanted === installed,
      `package.json asks for "${wanted ?? 'nothing'}", not for a version`,
    );
  });

  it.each(['addJobs', 'addFlow'] as const)('has a backend with %s', (member) => {
    const backend = createPostgresBackend(NAME, { connection: pool as PostgresConnectionOptions });
    assertUnchanged(typeof backend[member] === 'function', `the backend has no ${member}`);
  });

  it('stores a job, and what it answers of it, as its own way of adding many would', async () => {
    const jobs = [someJob(), someJob(), someJob()];
    const someAgain = [...jobs.slice(1), someJob()];

    const stored = [await addTo(ours, jobs), await addTo(ours, someAgain), await everythingStored()];
    await ours.obliterate({ force: true });
    const byBullmq = [await addTo(theirs, jobs), await addTo(theirs, someAgain), await everythingStored()];

    expect(stored).toEqual(byBullmq);
    expect(stored[0]).toEqual(jobs.map(({ id }) => id));
    expect(stored[2]?.length).toBeGreaterThan(jobs.length + 1);
  });

  it('is bypassed where it adds many jobs by temporary tables, which is why there is an override', async () => {
    const { rows } = await administrator.query<{ source: string }>(
      `SELECT prosrc AS source FROM pg_proc WHERE proname LIKE 'add_jobs_bulk%'`,
    );
    assertUnchanged(
      rows.some(({ source }) => /CREATE TEMP TABLE/i.test(source)),
      'it adds many jobs without temporary tables now, and the override may be superfluous',
    );

    await administrator.query('ALTER FUNCTION bullmq.add_jobs_bulk RENAME TO out_of_reach');
    const byProducer = app.get(JobProducer).send(NAME, [someJob(), someJob()]);
    const byBullmq = addTo(theirs, [someJob(), someJob()]);

    await expect(byBullmq).rejects.toThrow('add_jobs_bulk');
    await byProducer;
    await administrator.query('ALTER FUNCTION bullmq.out_of_reach RENAME TO add_jobs_bulk');
  });

  it('publishes no steps of a job, and has functions that do not ask for their result', async () => {
    const { rows } = await administrator.query<{ source: string }>(
      `SELECT prosrc AS source FROM pg_proc
        WHERE pronamespace = 'bullmq'::regnamespace AND prosrc LIKE '%publish_event%'`,
    );
    assertUnchanged(rows.length > 0, 'it publishes its events by another function than publish_event');
    assertUnchanged(
      rows.every(({ source }) => !/publish_event\s*\(/.test(source.replaceAll('PERFORM publish_event(', ''))),
      'it reads what publish_event answers',
    );
    const heard: string[] = [];
    administrator.on('notification', ({ channel }) => heard.push(channel));
    await administrator.query('LISTEN bullmq_events; LISTEN bullmq_jobs');

    const { id, payload } = someJob();
    await ours.add(NAME, payload, { jobId: id });
    const worker = new Worker(NAME, undefined, {
      connection: pool,
      autorun: false,
    });
    const job = await worker.getNextJob('some token', { block: false });
    await job.moveToCompleted('done', 'some token', false);
    await worker.close();
    await administrator.query('UNLISTEN *');

    expect(job.id).toBe(id);
    expect(heard).toEqual(['bullmq_jobs']);
    expect((await administrator.query('SELECT FROM bullmq.event')).rowCount).toBe(0);
  });

  async function everythingStored(): Promise<unknown[]> {
    const { rows } = await administrator.query<{ row: unknown }>(
      `SELECT to_jsonb(j) - '{seq,added_at_ms,process_at_ms}'::text[] AS row FROM bullmq.job AS j ORDER BY seq`,
    );
    const events = await administrator.query<{ row: unknown }>(
      `SELECT to_jsonb(e) - '{id,created_at_ms}'::text[] AS row FROM bullmq.event AS e ORDER BY id`,
    );
    return [...rows, ...events.rows].map(({ row }) => row);
  }
});

function someJob() {
  return executeJob([uuid()], uuid());
}

/** Adds the jobs with the producer's options. */
async function addTo(
  queue: Queue,
  jobs: readonly ReturnType<typeof someJob>[],
): Promise<(string | undefined)[]> {
  const opts = { attempts: 3, backoff: { type: 'exponential', delay: 100 }, removeOnComplete: true };
  const added = await queue.addBulk(
    jobs.map(({ id, payload }) => ({ name: NAME, data: payload, opts: { ...opts, jobId: id } })),
  );
  return added.map((job) => job.id);
}
