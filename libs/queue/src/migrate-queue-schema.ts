import { runMigrations } from 'bullmq';
import type pg from 'pg';
import { QUEUE_SCHEMA } from './queue-pool.js';

/**
 * BullMQ writes each step of a job to a stream of events, and wakes every connection of the database that listens to
 * anything, for whoever follows a queue (`QueueEvents`). Nobody does here, and that was a third of what the queue costs
 * PostgreSQL, so the function that publishes them does nothing. Where jobs are added in one go, BullMQ writes to the
 * stream without it, and trims it there.
 */
const PUBLISH_NOTHING = `
  CREATE OR REPLACE FUNCTION ${QUEUE_SCHEMA}.publish_event(p_queue text, p_event text, p_data jsonb) RETURNS bigint
  LANGUAGE sql IMMUTABLE AS 'SELECT NULL::bigint'`;

/** Brings the queue's own tables up to date (BullMQ's PostgreSQL backend). Needs one client to itself. */
export async function migrateQueueSchema(client: pg.ClientBase): Promise<void> {
  await runMigrations(client);
  await client.query(PUBLISH_NOTHING);
}
