import { QUEUE_NAMES } from '#libs/payloads';
import pg from 'pg';

/** Connections for all queues and workers of a process: five for statements, one for LISTEN. */
export const QUEUE_CONNECTIONS = 6;
/** Schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Creates the pool for all queues of a process. Pools made by BullMQ neither handle errors before a connection is
 * established nor detect an unresponsive one; the client from `connections` does both.
 */
export function createQueuePool(connectionString: string, connections: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connections,
    connectionString,
    application_name: 'capstan-queue',
    max: QUEUE_CONNECTIONS,
    // Jobs lost in a database crash are re-dispatched, so commits need not wait for the disk. BullMQ's functions cache
    // plans from when its tables were empty and a full scan looked cheap. PostgreSQL up to 17 JIT-compiles queries that
    // look expensive.
    options: `-c search_path=${QUEUE_SCHEMA} -c jit=off -c synchronous_commit=off -c enable_seqscan=off -c enable_bitmapscan=off`,
  });
  // Each queue and each worker adds an error listener.
  pool.setMaxListeners(4 * QUEUE_NAMES.length);
  return pool;
}
