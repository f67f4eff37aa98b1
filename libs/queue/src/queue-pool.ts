import { QUEUE_NAMES } from '#libs/payloads';
import pg from 'pg';

/** Connections of all queues and workers of a process: five for statements, one on which they listen. */
export const QUEUE_CONNECTIONS = 6;
/** Where BullMQ's migrations put its tables. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * The connections of all queues of a process. BullMQ would make its own, and neither listens for their errors before
 * they stand nor notices that one does not answer any more: `connections` brings the client that does.
 */
export function createQueuePool(connectionString: string, connections: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connections,
    connectionString,
    application_name: 'capstan-queue',
    max: QUEUE_CONNECTIONS,
    // What a crash of the database takes from the queue is sent again: nobody waits until its disk has it. BullMQ's
    // functions keep plans from when its tables were empty, and to read all of them looked cheap. PostgreSQL up to 17
    // compiles what looks costly.
    options: `-c search_path=${QUEUE_SCHEMA} -c jit=off -c synchronous_commit=off -c enable_seqscan=off -c enable_bitmapscan=off`,
  });
  // Each queue and each worker listens for its errors.
  pool.setMaxListeners(4 * QUEUE_NAMES.length);
  return pool;
}
