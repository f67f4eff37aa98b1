import type { Database, TransactionOptions } from '#libs/kit';

type Work<Result> = (manager: Manager) => Promise<Result>;

/** The part of TypeORM's `EntityManager` that domains of projects need. */
export interface Manager {
  readonly queryRunner?: { readonly isTransactionActive: boolean } | undefined;
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
  transaction<Result>(work: Work<Result>): Promise<Result>;
  transaction<Result>(isolation: 'REPEATABLE READ', work: Work<Result>): Promise<Result>;
}

/** The database as domains of projects see it. */
class ManagerDatabase implements Database {
  constructor(readonly manager: Manager) {}

  async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const answer = await this.manager.query(sql, [...parameters]);
    return rowsOf(answer) as Row[];
  }

  async transaction<Result>(
    work: (database: Database) => Promise<Result>,
    { isolation = 'read committed' }: TransactionOptions = {},
  ): Promise<Result> {
    const inside: Work<Result> = (manager) => work(toDatabase(manager));
    if (isolation === 'read committed') return this.manager.transaction(inside);
    // TypeORM would leave the isolation of the outer transaction as it is.
    if (this.manager.queryRunner?.isTransactionActive === true)
      throw new TypeError('a transaction inside another one cannot be `repeatable read`');
    return this.manager.transaction('REPEATABLE READ', inside);
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

/** A manager of the statements that `database` answers. */
export function toManager(database: Database): Manager {
  return {
    query: (sql, parameters) => database.query(sql, parameters),
    transaction: <Result>(first: 'REPEATABLE READ' | Work<Result>, second?: Work<Result>) => {
      const work = typeof first === 'string' ? second : first;
      if (work === undefined) throw new TypeError('a transaction needs its work');
      const inside = (given: Database): Promise<Result> => work(toManager(given));
      return typeof first === 'string'
        ? database.transaction(inside, { isolation: 'repeatable read' })
        : database.transaction(inside);
    },
  };
}

/** TypeORM answers `[rows, count]` for an UPDATE or DELETE, rows else. */
function rowsOf(answer: unknown): readonly unknown[] {
  if (!Array.isArray(answer)) return [];
  const rows: readonly unknown[] = answer;
  const [changed, count] = rows;
  return rows.length === 2 && Array.isArray(changed) && typeof count === 'number' ? changed : rows;
}
