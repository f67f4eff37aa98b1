import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { chosen } from '../../support/selection.js';
import { ApiClient, scripted } from '../../support/services/api-client.js';
import { withAdministrator } from '../../support/services/database-administrator.js';
import { Deployment } from '../../support/services/deployment.js';
import type { ServiceProcess } from '../../support/services/service-process.js';
import { waitFor } from '../../support/services/wait-for.js';

const TIMEOUT_MS = 120_000;
const EXECUTE = '/api/agents/1/execute/';

/**
 * A fault that an administrator, a full server or another program causes for the service's role; the returned function ends
 * it.
 */
interface Trouble {
  readonly name: string;
  readonly code: 'DATABASE_UNAVAILABLE' | 'DATABASE_BUSY';
  readonly begin: (administrator: Client, role: string) => Promise<() => Promise<unknown>>;
}

const TROUBLES: readonly Trouble[] = [
  {
    name: 'takes no writes',
    code: 'DATABASE_UNAVAILABLE',
    begin: async (administrator, role) => {
      await administrator.query(`ALTER ROLE ${role} SET default_transaction_read_only = on`);
      await terminate(administrator, role);
      // The sessions stay read-only after the end, so the service has to close them itself.
      return () => administrator.query(`ALTER ROLE ${role} RESET default_transaction_read_only`);
    },
  },
  {
    name: 'has no connection left',
    code: 'DATABASE_UNAVAILABLE',
    begin: async (administrator, role) => {
      await administrator.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
      await terminate(administrator, role);
      return () => administrator.query(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
    },
  },
  {
    name: 'has locked tables',
    code: 'DATABASE_BUSY',
    begin: async (administrator, role) => {
      await administrator.query(`ALTER ROLE ${role} SET lock_timeout = '300ms'`);
      await lock(administrator);
      await terminate(administrator, role);
      return async () => {
        await administrator.query('ROLLBACK');
        await administrator.query(`ALTER ROLE ${role} RESET lock_timeout`);
      };
    },
  },
  {
    name: 'cancels every statement',
    code: 'DATABASE_BUSY',
    begin: async (administrator, role) => {
      await lock(administrator);
      return repeat(administrator, role, 'pg_cancel_backend');
    },
  },
  {
    name: 'ends every session',
    code: 'DATABASE_UNAVAILABLE',
    begin: async (administrator, role) => {
      await lock(administrator);
      return repeat(administrator, role, 'pg_terminate_backend');
    },
  },
];

let deployment: Deployment;
let administrator: Client;
let role: string;
let api: ApiClient;
let worker: ServiceProcess;

beforeAll(async () => {
  deployment = await Deployment.open('postgres', { LEASE_SECONDS: '5', DATABASE_STATEMENT_SECONDS: '5' });
  role = `service_${randomBytes(6).toString('hex')}`;
  administrator = new Client({ connectionString: deployment.databaseUrl });
  await administrator.connect();
  // A superuser is exempt from all limits.
  await administrator.query(
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret' IN ROLE pg_read_all_data, pg_write_all_data`,
  );
  await administrator.query(`GRANT ALL ON ALL SEQUENCES IN SCHEMA public, bullmq TO ${role}`);
  await administrator.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, bullmq TO ${role}`);
  await administrator.query(`UPDATE llm SET model = 'sim-script'`);
  const url = new URL(deployment.databaseUrl);
  url.username = role;
  url.password = 'secret';
  const asRole = { DATABASE_URL: url.href };
  const [startedApi, startedWorker] = await Promise.all([
    deployment.startApi(asRole),
    deployment.startWorker(asRole),
  ]);
  api = new ApiClient(startedApi.url);
  worker = startedWorker;
}, TIMEOUT_MS);
afterAll(async () => {
  await administrator.end();
  await deployment.close();
  await withAdministrator((maintenance) => maintenance.query(`DROP ROLE ${role}`));
}, TIMEOUT_MS);

/** The short run has one fault for each error code. */
const DAILY = ['takes no writes', 'has locked tables'];

it.each(chosen(TROUBLES, ({ name }) => DAILY.includes(name)))(
  'while the database $name, the API answers 503 with Retry-After, and what runs is completed afterwards',
  async ({ code, begin }) => {
    const slow = { latency: { headers_ms: 1_500 }, text: 'here you are' };
    const { id } = await api.submit({ input: scripted(slow) });
    await waitFor(
      async () => (await api.get<{ status: string }>(`/api/executions/${id}/`)).status === 'running',
      {
        description: 'the execution to run',
      },
    );
    const failuresBefore = countFailures();

    const end = await begin(administrator, role);
    try {
      const answer = await waitFor(() => refused(code), {
        description: `an answer ${code}`,
      });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      await waitFor(() => countFailures() > failuresBefore, {
        description: 'the worker to run into it',
      });
    } finally {
      await end();
    }

    expect(await api.settled(id)).toMatchObject({ status: 'completed' });
  },
  TIMEOUT_MS,
);

/** The answer to a submission if it is a refusal with this code, else null; throws on any status but 202 and 503. */
async function refused(code: string): Promise<Response | null> {
  const answer = await api.post(EXECUTE, { input: scripted({ text: 'no' }) });
  if (![202, 503].includes(answer.status)) throw new Error(`${answer.status}: ${await answer.text()}`);
  const body = (await answer.clone().json()) as { code?: string };
  return body.code === code ? answer : null;
}

const countFailures = (): number => worker.log.split('\n').filter((line) => line.includes('"err"')).length;

async function terminate(administrator: Client, role: string): Promise<void> {
  await administrator.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = $1`,
    [role],
  );
}

async function lock(administrator: Client): Promise<void> {
  await administrator.query('BEGIN');
  await administrator.query('LOCK TABLE execution IN ACCESS EXCLUSIVE MODE');
}

/**
 * Repeats the deed on every session that waits for a lock, until the returned function is called. Uses a connection of its
 * own, because a transaction keeps its first view of other sessions.
 */
async function repeat(
  locking: Client,
  role: string,
  deed: 'pg_cancel_backend' | 'pg_terminate_backend',
): Promise<() => Promise<unknown>> {
  const over = new AbortController();
  const client = new Client({ connectionString: deployment.databaseUrl });
  await client.connect();
  const doing = (async () => {
    while (!over.signal.aborted) {
      await client.query(
        `SELECT ${deed}(pid) FROM pg_stat_activity WHERE usename = $1 AND wait_event_type = 'Lock'`,
        [role],
      );
      await client.query('SELECT pg_sleep(0.05)');
    }
  })();
  return async () => {
    over.abort();
    await doing;
    await client.end();
    await locking.query('ROLLBACK');
  };
}
