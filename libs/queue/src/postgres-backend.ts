import {
  createPostgresBackend,
  type BackendFactory,
  type IQueueBackend,
  type PostgresConnectionOptions,
} from 'bullmq';
import type { Pool } from 'pg';
import { SharedListener } from './shared-listener.js';

/** The pools that queues and workers were given, each with the members that BullMQ is given in its place. */
const sharedPools = new WeakMap<object, PostgresConnectionOptions>();

/**
 * BullMQ's PostgreSQL backend with two changes. All queues and workers of a pool listen on one connection, where BullMQ
 * keeps one for each worker. Many jobs are added as a flow, one plain insert each: BullMQ's own way makes two temporary
 * tables each time, which costs tens of milliseconds however few the jobs are.
 * BullMQ does not promise that a backend can be changed so: package.json pins its version, and
 * `test/integration/queue/bullmq-internals.spec.ts` fails where another one differs.
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

/** The members of a pool that BullMQ uses; it connects only to listen, and to read the version of its schema. */
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

/** All or none, in one transaction; a job whose id exists already stays the job it is. */
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
