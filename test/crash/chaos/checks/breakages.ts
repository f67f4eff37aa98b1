import type { ChaosWorld, FollowerRecord } from '../ledgers/chaos-world.js';
import type { DatabaseLedger } from '../ledgers/database-ledger.js';

/** Turns a healthy world into a broken one. */
export type Breakage = (world: ChaosWorld) => ChaosWorld;

export const inDatabase =
  (change: (database: DatabaseLedger) => Partial<DatabaseLedger>): Breakage =>
  (world) => ({ ...world, database: { ...world.database, ...change(world.database) } });

/** Changes the rows that match, and drops those for which the change is null. */
const change = <Row extends object>(
  rows: readonly Row[],
  matching: Partial<Row>,
  by: Partial<Row> | null,
): Row[] =>
  rows.flatMap((row) => {
    const isMeant = Object.entries(matching).every(([name, value]) => row[name as keyof Row] === value);
    if (!isMeant) return [row];
    return by === null ? [] : [{ ...row, ...by }];
  });

export const execution = (id: string, by: Partial<DatabaseLedger['executions'][number]> | null): Breakage =>
  inDatabase(({ executions }) => ({ executions: change(executions, { id }, by) }));
export const journal = (
  matching: Partial<DatabaseLedger['journal'][number]>,
  by: Partial<DatabaseLedger['journal'][number]> | null,
): Breakage => inDatabase((database) => ({ journal: change(database.journal, matching, by) }));
export const messages = (id: number, by: Partial<DatabaseLedger['messages'][number]> | null): Breakage =>
  inDatabase((database) => ({ messages: change(database.messages, { id }, by) }));
export const deliveries = (id: string, by: Partial<DatabaseLedger['deliveries'][number]> | null): Breakage =>
  inDatabase((database) => ({ deliveries: change(database.deliveries, { id }, by) }));
export const bill = (
  matching: Partial<DatabaseLedger['usage'][number]>,
  by: Partial<DatabaseLedger['usage'][number]> | null,
): Breakage => inDatabase((database) => ({ usage: change(database.usage, matching, by) }));
export const calls =
  (...added: ChaosWorld['calls']): Breakage =>
  (world) => ({ ...world, calls: [...world.calls, ...added] });
export const followed =
  (by: (follower: FollowerRecord) => FollowerRecord): Breakage =>
  (world) => ({ ...world, followers: world.followers.map(by) });
