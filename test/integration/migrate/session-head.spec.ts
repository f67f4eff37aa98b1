import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDataSource } from '#libs/persistence';
import type { DataSource } from 'typeorm';
import { createSeededDatabase } from '../../support/services/migrated-database.js';

const CURRENT_TEXT = new URL('../../../libs/persistence/src/schema/session-head.sql', import.meta.url);

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

/** The triggers of the line of a conversation and their functions, as the database holds them. */
function held(): Promise<{ readonly name: string; readonly text: string }[]> {
  return dataSource.query(
    `SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc
      WHERE proname IN ('find_head_of_session', 'wake_next_of_session')
     UNION ALL
     SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger
      WHERE tgname IN ('execution_follows_line', 'execution_wakes_next')
     ORDER BY 1`,
  );
}

it('is in the database as its one file says: running the file changes nothing', async () => {
  const before = await held();
  expect(before.map(({ name }) => name)).toEqual([
    'execution_follows_line',
    'execution_wakes_next',
    'find_head_of_session',
    'wake_next_of_session',
  ]);
  await dataSource.query(await readFile(CURRENT_TEXT, 'utf8'));
  expect(await held()).toEqual(before);
});
