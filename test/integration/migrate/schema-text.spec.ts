import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { createSeededDatabase } from '../../support/services/migrated-database.js';

let dataSource: DataSource;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createSeededDatabase();
  drop = () => database.drop();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await drop();
});

/** Functions and triggers of these names, as the database holds them. */
function held(names: readonly string[]): Promise<{ readonly name: string; readonly text: string }[]> {
  return dataSource.query(
    `SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = ANY($1)
     UNION ALL
     SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgname = ANY($1)
     ORDER BY 1`,
    [names],
  );
}

it.each([
  {
    file: 'session-head.sql',
    names: ['execution_follows_line', 'execution_wakes_next', 'find_head_of_session', 'wake_next_of_session'],
  },
  {
    file: 'webhook-room.sql',
    names: ['count_webhook_requests', 'has_room_for_webhook', 'is_webhook_receiver_paused'],
  },
])('is in the database as $file says: running the file changes nothing', async ({ file, names }) => {
  const before = await held(names);
  expect(before.map(({ name }) => name)).toEqual(names);
  const path = new URL(`../../../libs/persistence/src/schema/${file}`, import.meta.url);
  await dataSource.query(await readFile(path, 'utf8'));
  expect(await held(names)).toEqual(before);
});
