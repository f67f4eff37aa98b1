import type { DataSource } from 'typeorm';

/**
 * Deletes all rows of these tables in order, and the rows that refer to them. With few rows this takes a fiftieth of the
 * time of `TRUNCATE`, which creates new files for each table, its indexes and every table that refers to it.
 */
export async function emptyTables(dataSource: DataSource, ...tables: readonly string[]): Promise<void> {
  await dataSource.query(tables.map((table) => `DELETE FROM ${table}`).join('; '));
}
