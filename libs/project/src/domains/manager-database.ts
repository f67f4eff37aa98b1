import type { Database, TransactionOptions } from '#libs/kit';

/** The part of TypeORM's `EntityManager` that domains of projects need. */
export interface Manager {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
  transaction<Result>(work: (manager: Manager) => Promise<Result>): Promise<Result>;
}

const REPEATABLE_READ = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ';

/** The database as domains of projects see it. */
class ManagerDatabase implements Database {
  constructor(readonly manager: Manager) {}

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const answer = await this.manager.query(sql, [...parameters]);
    return rowsOf(answer) as Row[];
  }

  transaction<Result>(
    work: (database: Database) => Promise<Result>,
    { isolation = 'read committed' }: TransactionOptions = {},
  ): Promise<Result> {
    return this.manager.transaction(async (manager) => {
      if (isolation === 'repeatable read') await manager.query(REPEATABLE_READ);
      return work(toDatabase(manager));
    });
  }
}

export function toDatabase(manager: Manager): Database {
  return new ManagerDatabase(manager);
}

/** The manager behind a database. Throws if the database was not made by this library. */
export function managerOf(database: Database): Manager {
  if (database instanceof ManagerDatabase) return database.manager;
  throw new TypeError('`database` must be the one that the service has passed to this function');
}

/** A manager of statements that `database` answers, beside those of this library. */
export function toManager(database: Database): Manager {
  return {
    query: (sql, parameters) =>
      sql === REPEATABLE_READ ? Promise.resolve([]) : database.query(sql, parameters),
    transaction: (work) => database.transaction((inside) => work(toManager(inside))),
  };
}

/** TypeORM answers `[rows, count]` for an UPDATE or DELETE, rows else. */
function rowsOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) return [];
  const rows: readonly unknown[] = answer;
  const [changed, count] = rows;
  return rows.length === 2 && Array.isArray(changed) && typeof count === 'number' ? changed : rows;
}
