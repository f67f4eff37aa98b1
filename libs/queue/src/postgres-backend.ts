import {
  createPostgresBackend,
  type BackendFactory,
  type IQueueBackend,
  type PostgresConnectionOptions,
} from 'bullmq';

/**
 * BullMQ's PostgreSQL backend with another way to add many jobs at once. Its own makes two temporary tables each time,
 * which costs tens of milliseconds however few the jobs are; the way that it adds flows of jobs is one plain insert each.
 * BullMQ does not promise that a backend can be changed so: package.json pins its version, and
 * `test/integration/queue/bullmq-internals.spec.ts` fails where another one differs.
 */
export const createQueueBackend: BackendFactory<IQueueBackend, PostgresConnectionOptions> = (
  name,
  options,
  factoryOptions,
) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  backend.addJobs = (entries) => addAsFlow(backend, name, entries);
  return backend;
};

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
