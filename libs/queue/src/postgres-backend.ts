import {
  createPostgresBackend,
  type BackendFactory,
  type IQueueBackend,
  type PostgresConnectionOptions,
} from 'bullmq';
import type { Pool } from 'pg';
import { SharedListener } from './shared-listener.js';

/** For each pool the substitute that BullMQ receives. */
const sharedPools = new WeakMap<object, PostgresConnectionOptions>();

/**
 * BullMQ's PostgreSQL backend with two changes. All queues and workers of a pool listen on one connection, where BullMQ
 * keeps one per worker. Bulk adds run as a flow with one plain insert per job: BullMQ's own way creates two temporary
 * tables, which costs tens of milliseconds even for few jobs.
 *
 * BullMQ does not support these changes officially: package.json pins its version, and
 * `test/integration/queue/bullmq-internals.spec.ts` fails if another one differs.
 */
export const createQueueBackend: BackendFactory<IQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
  factoryOptions,
) => {
  const connection = sharingOneListener(options.connection as unknown as Pool);
  const backend = createPostgresBackend(name, { ...options, connection }, factoryOptions);
  backend.addJobs = (entries) => addAsFlow(backend, name, entries);
  return backend;
};

/** The pool members that BullMQ uses; it calls `connect` only to listen and to read its schema version. */
function sharingOneListener(pool: Pool): PostgresConnectionOptions {
  const known = sharedPools.get(pool);
  if (known !== undefined) return known;
  const listener = new SharedListener(pool);
  const shared = {
    options: pool.options,
    connect: () => listener.connect(),
    query: pool.query.bind(pool),
    end: () => pool.end(),
    on: pool.on.bind(pool),
    removeAllListeners: pool.removeAllListeners.bind(pool),
  } as unknown as PostgresConnectionOptions;
  sharedPools.set(pool, shared);
  return shared;
}

/** Adds all jobs or none in one transaction; a job with an existing id stays unchanged. */
async function addAsFlow(
  backend: IQueueBackend,
  queueName: string,
  entries: Parameters<IQueueBackend['addJobs']>[0],
): Promise<string[]> {
  const nodes = entries.map(({ job, jobId, parentKeyOpts = {} }) => ({
    jobData: job,
    jobId,
    parentKeyOpts,
    prefix: '',
    queueName,
  }));
  const results = await backend.addFlow(nodes);
  return results.map(([error, id]) => {
    if (error) throw error;
    return String(id);
  });
}
