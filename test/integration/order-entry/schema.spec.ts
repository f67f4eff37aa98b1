import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Database } from '#libs/kit';
import { DataSource } from 'typeorm';
import { listOrderRequests } from '../../../examples/order-entry/capstan/domains/order-entry/order-requests/list-order-requests.ts';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { DOMAIN, openOrderEntry, TENANT } from './order-entry-database.js';

let database: TestDatabase;
let dataSource: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await openOrderEntry(database);
});

afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const countRows = async (table: string, tenantId: string): Promise<number> => {
  const [row] = await dataSource.query<[{ count: number }]>(
    `SELECT count(*)::int AS count FROM order_entry.${table} WHERE tenant_id = $1`,
    [tenantId],
  );
  return row.count;
};
const seed = (tenantId: string) => DOMAIN.seed({ manager: dataSource.manager, tenantId });
const TABLES = ['customer', 'catalogue_item', 'item_alias'];

describe('the tables of order entry', () => {
  it('all carry a tenant that is never null', async () => {
    const rows = await dataSource.query<{ table_name: string }[]>(
      `SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'order_entry' AND column_name = 'tenant_id' AND data_type = 'text' AND is_nullable = 'NO'
       ORDER BY table_name`,
    );
    expect(rows.map((row) => row.table_name)).toEqual([
      'catalogue_item',
      'customer',
      'item_alias',
      'order_request',
      'order_request_change',
      'ordering_service',
    ]);
  });

  it('refuse an alias that points into the catalogue of another tenant', async () => {
    const intruding = dataSource.query(
      `INSERT INTO order_entry.item_alias (tenant_id, item_id, alias, search_alias)
       SELECT 'intruder', id, 'mine', 'mine' FROM order_entry.catalogue_item WHERE tenant_id = $1 LIMIT 1`,
      [TENANT],
    );
    await expect(intruding).rejects.toMatchObject({ constraint: 'fk_item_alias_item' });
  });

  it('refuse the same item number twice for a tenant', async () => {
    const doubling = dataSource.query(
      `INSERT INTO order_entry.catalogue_item (tenant_id, item_num, name, name_ja, pack_size, uom,
         search_code, search_name, search_name_ja, search_pack)
       VALUES ($1, 'VEG-1010', 'x', 'x', 'x', 'CS', 'x', 'x', 'x', 'x')`,
      [TENANT],
    );
    await expect(doubling).rejects.toMatchObject({ constraint: 'uq_catalogue_item_item_num' });
  });
});

it('reads the first page of order requests by a range of their index', async () => {
  const plan = await dataSource.transaction(async (manager) => {
    await manager.query('SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    const lines: unknown[] = [];
    const explaining: Database = {
      query: async (sql) => {
        lines.push(await manager.query(`EXPLAIN (GENERIC_PLAN) ${sql}`));
        return [];
      },
      transaction: (work) => work(explaining),
    };
    await listOrderRequests(explaining, { tenantId: TENANT, after: null, limit: 20 });
    return JSON.stringify(lines);
  });
  expect(plan).toMatch(/ix_order_request_list on .*Index Cond: \(\(tenant_id = \$1\) AND \(id < COALESCE/);
});

describe('the example data', () => {
  it('changes nothing when it runs again, even twice at once', async () => {
    const count = () => Promise.all(TABLES.map((table) => countRows(table, TENANT)));
    const before = await count();
    await Promise.all([seed(TENANT), seed(TENANT)]);
    expect(await count()).toEqual(before);
  });

  it('stores every alias of the data', async () => {
    expect(await countRows('catalogue_item', TENANT)).toBeGreaterThanOrEqual(190);
    expect(await countRows('item_alias', TENANT)).toBeGreaterThan(500);
  });

  it('keeps what people changed', async () => {
    await dataSource.query(
      `UPDATE order_entry.catalogue_item SET pack_size = '30 LB' WHERE tenant_id = $1 AND item_num = 'VEG-1010'`,
      [TENANT],
    );
    await seed(TENANT);
    const rows = await dataSource.query<{ pack_size: string }[]>(
      `SELECT pack_size FROM order_entry.catalogue_item WHERE tenant_id = $1 AND item_num = 'VEG-1010'`,
      [TENANT],
    );
    expect(rows).toEqual([{ pack_size: '30 LB' }]);
  });

  it('gives each tenant a catalogue of its own', async () => {
    await seed('second');
    expect(await countRows('item_alias', 'second')).toBe(await countRows('item_alias', TENANT));
  });
});

/** Every column, key and index of the tables, without the names of keys and indexes. */
async function shapeOf(source: DataSource): Promise<readonly object[]> {
  const columns = await source.query<object[]>(
    `SELECT table_name, column_name, data_type, is_nullable, is_identity, column_default
       FROM information_schema.columns WHERE table_schema = 'order_entry' ORDER BY table_name, column_name`,
  );
  const indexes = await source.query<object[]>(
    `SELECT tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') AS made
       FROM pg_indexes WHERE schemaname = 'order_entry' ORDER BY 1, 2`,
  );
  const keys = await source.query<object[]>(
    `SELECT conrelid::regclass::text AS "table", pg_get_constraintdef(oid) AS made
       FROM pg_constraint WHERE connamespace = 'order_entry'::regnamespace ORDER BY 1, 2`,
  );
  return [...columns, ...indexes, ...keys];
}

describe('the migration', () => {
  it('takes the tables of earlier releases over, with their rows and numbers', async () => {
    const earlier = await createTestDatabase();
    const client = new Client({ connectionString: earlier.url });
    await client.connect();
    await client.query(readFileSync(join(import.meta.dirname, 'earlier-tables.sql'), 'utf8'));
    await client.end();
    const migrated = await openOrderEntry(earlier);
    try {
      const [row] = await migrated.query<[{ count: number; next: number; kept: number }]>(
        `SELECT count(*)::int AS count, count(*) FILTER (WHERE name = 'Earlier Grill' AND id = 1)::int AS kept,
                nextval(pg_get_serial_sequence('order_entry.customer', 'id'))::int AS next
           FROM order_entry.customer`,
      );
      expect(row.kept).toBe(1);
      expect(row.next).toBeGreaterThan(row.count);
      const shape = await shapeOf(dataSource);
      expect(shape.length).toBeGreaterThan(60);
      expect(await shapeOf(migrated)).toEqual(shape);
    } finally {
      await migrated.destroy();
      await earlier.drop();
    }
  });

  it('names indexes and constraints as earlier releases did', async () => {
    const names = await dataSource.query<{ name: string }[]>(
      `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'order_entry'
       UNION SELECT conname FROM pg_constraint WHERE connamespace = 'order_entry'::regnamespace AND contype <> 'n'`,
    );
    expect(names.filter(({ name }) => !/^(?:pk|uq|fk|ix)_/.test(name))).toEqual([]);
  });

  it('refuses a database that has some of the tables of earlier releases, and changes nothing', async () => {
    const earlier = await createTestDatabase();
    const { url } = earlier;
    const migrated = new DataSource({ type: 'postgres', url, migrations: [...DOMAIN.migrations] as never[] });
    try {
      await migrated.initialize();
      await migrated.query('CREATE TABLE public.order_request (id integer)');
      await expect(migrated.runMigrations()).rejects.toThrow(
        'create-tables.sql: the schema "public" has some of the tables of order entry',
      );
      const found = await migrated.query<unknown[]>(`SELECT to_regnamespace('order_entry')::text AS name`);
      expect(found).toEqual([{ name: null }]);
    } finally {
      await migrated.destroy();
      await earlier.drop();
    }
  });
});
