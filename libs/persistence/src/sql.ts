import type pg from 'pg';
import { DataSource, EntityManager } from 'typeorm';

/** A sender of statements: a data source, its manager, or the manager of a transaction. */
export type Queryable = Pick<EntityManager, 'query'>;

/**
 * Runs one statement and answers its rows. Outside of a transaction it goes to the pool directly: TypeORM would make a query
 * runner for every statement, and announce the statement to listeners that this service does not have.
 */
export async function queryRows<Row>(
  manager: Queryable,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  const pool = poolBehind(manager);
  if (pool !== null) return queryPool<Row>(pool, sql, parameters);
  const answer: unknown = await manager.query(sql, [...parameters]);
  if (isUpdateAnswer(answer)) return answer[0] as Row[];
  return answer as Row[];
}

/** Null within a transaction, which has its own connection, and for a data source that is not open. */
function poolBehind(manager: Queryable): pg.Pool | null {
  if (manager instanceof EntityManager)
    return manager.queryRunner === undefined ? poolBehind(manager.dataSource) : null;
  if (!(manager instanceof DataSource) || !manager.isInitialized) return null;
  return (manager.driver as unknown as { readonly master?: pg.Pool }).master ?? null;
}

/** Not by the pool's own `query`: it gives a connection up for any error of a statement, a violated constraint too. */
async function queryPool<Row>(pool: pg.Pool, sql: string, parameters: readonly unknown[]): Promise<Row[]> {
  const client = await pool.connect();
  try {
    return (await client.query(sql, [...parameters])).rows as Row[];
  } finally {
    // A broken client marks itself, and the pool does not keep it.
    client.release();
  }
}

/** TypeORM answers `[rows, count]` for an UPDATE or DELETE, rows else. */
function isUpdateAnswer(answer: unknown): answer is [unknown[], number] {
  return (
    Array.isArray(answer) && answer.length === 2 && Array.isArray(answer[0]) && typeof answer[1] === 'number'
  );
}
