import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Definitions of all functions, triggers and indexes, and options of all tables, from the database's catalogue. */
function held(): Promise<{ readonly name: string; readonly text: string }[]> {
  return dataSource.query(
    `SELECT proname AS name, pg_get_functiondef(p.oid) AS text FROM pg_proc p
       JOIN pg_namespace n ON n.oid = p.pronamespace WHERE nspname = 'public' AND prokind = 'f'
     UNION ALL
     SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal AND tgfoid::regproc::text NOT LIKE 'bullmq.%'
     UNION ALL
     SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL
     SELECT relname, relpersistence::text || coalesce(array_to_string(reloptions, ','), '') FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     ORDER BY 1, 2`,
  );
}

const FOLDER = join(import.meta.dirname, '../../../libs/persistence/src/schema');
const CURRENT = readdirSync(FOLDER).filter(
  (file) => file !== 'initial-tables.sql' && file !== 'drop-all.sql',
);
const textOf = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');

it.each(CURRENT)('is in the database as %s says: running the file changes nothing', async (file) => {
  const before = await held();
  await dataSource.query(textOf(file));
  expect(await held()).toEqual(before);
});

it('has each function and trigger in one file', async () => {
  const written = CURRENT.flatMap((file) =>
    [...textOf(file).matchAll(/CREATE OR REPLACE (?:FUNCTION|TRIGGER) (\w+)/g)].map(([, name]) => name),
  );
  const functions: { readonly name: string }[] = await dataSource.query(
    `SELECT proname AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE nspname = 'public' AND prokind = 'f' AND NOT EXISTS (
        SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
     UNION ALL
     SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace`,
  );
  expect(written.sort()).toEqual(functions.map(({ name }) => name).sort());
});
