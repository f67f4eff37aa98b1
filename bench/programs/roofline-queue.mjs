// @ts-check
import { createPostgresBackend, Queue, setDefaultBackendFactory, Worker } from 'bullmq';

const QUEUE = 'roofline';

/** The plain queue of the roofline, on the backend of the service. */
const connection = connect();

/** @returns {any} */
function connect() {
  const { REDIS_URL: url, DATABASE_URL: connectionString } = process.env;
  if (url !== undefined) return { url, maxRetriesPerRequest: null };
  setDefaultBackendFactory(createPostgresBackend);
  // As in the service: jobs lost in a database crash can be dispatched again.
  return { connectionString, max: 3, options: '-c synchronous_commit=off' };
}

export function openQueue() {
  return new Queue(QUEUE, { connection, prefix: '{roofline}' });
}

/** @param {(data: any) => Promise<void>} process @param {number} concurrency */
export function openWorker(process, concurrency) {
  return new Worker(QUEUE, (job) => process(job.data), { connection, prefix: '{roofline}', concurrency });
}
