import { runMigrations } from 'bullmq';
import type pg from 'pg';

/** Brings the queue's own tables up to date (BullMQ's PostgreSQL backend, schema `bullmq`). Needs one client to itself. */
export async function migrateQueueSchema(client: pg.ClientBase): Promise<void> {
  await runMigrations(client);
}
