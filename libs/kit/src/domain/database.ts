export interface TransactionOptions {
  /** `repeatable read`: statements see the rows of one moment; not inside another transaction. Default `read committed`. */
  readonly isolation?: 'read committed' | 'repeatable read';
}

/**
 * The database of the service. Tables of a domain are in a schema of its name: `SELECT … FROM parcels.parcel`. Every
 * statement asks for the tenant itself.
 */
export interface Database {
  /**
   * Rows of one statement; `$1` and so on stand for `parameters`. Timestamps are `Date`, `bigint` and `numeric` texts. A
   * statement with the comment `planned anew` is planned for its values at each call; the plans of all others are kept, and
   * have no bitmap and no sequential scans.
   */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** Runs `work` in a transaction, which is rolled back if it throws. Inside a transaction it is a part of that one. */
  transaction<Result>(
    work: (database: Database) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
}
