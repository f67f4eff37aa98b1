import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedOrderEntry } from '#libs/order-entry';
import type { DataSource } from 'typeorm';
import { createTestDatabase } from '../../support/services/test-database.js';
import type { TestDatabase } from '../../support/services/test-database.js';
import { openOrderEntry, TENANT } from './order-entry-database.js';

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
    `SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`,
    [tenantId],
  );
  return row.count;
};
const TABLES = ['customer', 'catalogue_item', 'item_alias'];

describe('the tables of order entry', () => {
  it('are what the entities say after the migration', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('all carry a tenant that is never null', async () => {
    const rows = await dataSource.query<{ table_name: string }[]>(
      `SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name = 'tenant_id' AND data_type = 'text' AND is_nullable = 'NO'
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
      `INSERT INTO item_alias (tenant_id, item_id, alias, search_alias)
       SELECT 'intruder', id, 'mine', 'mine' FROM catalogue_item WHERE tenant_id = $1 LIMIT 1`,
      [TENANT],
    );
    await expect(intruding).rejects.toMatchObject({ constraint: 'fk_item_alias_item' });
  });

  it('refuse the same item number twice for a tenant', async () => {
    const doubling = dataSource.query(
      `INSERT INTO catalogue_item (tenant_id, item_num, name, name_ja, pack_size, uom,
         search_code, search_name, search_name_ja, search_pack)
       VALUES ($1, 'VEG-1010', 'x', 'x', 'x', 'CS', 'x', 'x', 'x', 'x')`,
      [TENANT],
    );
    await expect(doubling).rejects.toMatchObject({ constraint: 'uq_catalogue_item_item_num' });
  });
});

describe('seedOrderEntry', () => {
  it('changes nothing when it runs again, even twice at once', async () => {
    const count = () => Promise.all(TABLES.map((table) => countRows(table, TENANT)));
    const before = await count();
    await Promise.all([
      seedOrderEntry(dataSource.manager, TENANT),
      seedOrderEntry(dataSource.manager, TENANT),
    ]);
    expect(await count()).toEqual(before);
  });

  it('stores every alias of the data', async () => {
    expect(await countRows('catalogue_item', TENANT)).toBeGreaterThanOrEqual(190);
    expect(await countRows('item_alias', TENANT)).toBeGreaterThan(500);
  });

  it('keeps what people changed', async () => {
    await dataSource.query(
      `UPDATE catalogue_item SET pack_size = '30 LB' WHERE tenant_id = $1 AND item_num = 'VEG-1010'`,
      [TENANT],
    );
    await seedOrderEntry(dataSource.manager, TENANT);
    const rows = await dataSource.query<{ pack_size: string }[]>(
      `SELECT pack_size FROM catalogue_item WHERE tenant_id = $1 AND item_num = 'VEG-1010'`,
      [TENANT],
    );
    expect(rows).toEqual([{ pack_size: '30 LB' }]);
  });

  it('gives each tenant a catalogue of its own', async () => {
    await seedOrderEntry(dataSource.manager, 'second');
    expect(await countRows('item_alias', 'second')).toBe(await countRows('item_alias', TENANT));
  });
});

describe('the migrations', () => {
  it('can be undone and done again', async () => {
    for (const _each of dataSource.migrations) await dataSource.undoLastMigration();
    const left = await dataSource.query<{ table_name: string }[]>(
      `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`,
    );
    expect(left).toEqual([]);
    await dataSource.runMigrations();
    await seedOrderEntry(dataSource.manager, TENANT);
  });
});
