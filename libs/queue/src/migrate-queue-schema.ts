import { runMigrations } from 'bullmq';
import type pg from 'pg';
import { QUEUE_SCHEMA } from './queue-pool.js';

/**
 * Disables BullMQ's job events. Each state change of a job would write to an event stream and wake every connection
 * that listens on any channel of the database, for subscribers of `QueueEvents`, which this service does not use. It
 * was a third of the queue's cost in PostgreSQL. Bulk inserts bypass the function, but BullMQ trims the stream there.
 */
const PUBLISH_NOTHING = `
  CREATE OR REPLACE FUNCTION ${QUEUE_SCHEMA}.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
  LANGUAGE sql IMMUTABLE AS 'SELECT NULL::bigint'`;

/** Migrates the tables of BullMQ's PostgreSQL backend. Needs a client of its own. */
export async function migrateQueueSchema(client: pg.ClientBase): Promise<void> {
  await runMigrations(client);
  await client.query(PUBLISH_NOTHING);
}
