import type { DataSource } from 'typeorm';
import { queryRows } from '../sql.js';

/** Answers a sealed text anew, or null when it is to stay as it is. */
export type Reseal<Owner> = (sealed: string, owner: Owner) => string | null;

/** One sealed text of a row. */
export interface SealedText<Owner> {
  readonly sealed: string;
  readonly owner: Owner;
}

/**
 * Seals texts anew, one by one, where `reseal` answers a new text. Answers how many were replaced.
 *
 * @param replace a statement that puts the text $2 in the place of $1 in the row with the key $3 and so on, and answers a
 *   row if it has: a text that was replaced in between stays
 * @param keyOf the key by which the statement finds the row
 */
export async function resealRows<Owner>(
  dataSource: DataSource,
  rows: readonly SealedText<Owner>[],
  reseal: Reseal<Owner>,
  replace: string,
  keyOf: (owner: Owner) => readonly unknown[],
): Promise<number> {
  let count = 0;
  for (const { sealed, owner } of rows) {
    const resealed = reseal(sealed, owner);
    if (resealed === null) continue;
    const replaced = await queryRows(dataSource, replace, [sealed, resealed, ...keyOf(owner)]);
    count += replaced.length;
  }
  return count;
}

/** A column of sealed texts, and the owner that each of them is sealed to. */
export interface SealedColumn<Owner> {
  readonly table: string;
  readonly column: string;
  /** The columns that an owner is made of. */
  readonly owner: Readonly<Record<keyof Owner & string, string>>;
  /** Parts of an owner that are the key of its row. */
  readonly key: readonly (keyof Owner & string)[];
}

/** Seals the texts of a column anew where `reseal` answers a new text. Answers how many. */
export async function resealColumn<Owner>(
  dataSource: DataSource,
  { table, column, owner, key }: SealedColumn<Owner>,
  reseal: Reseal<Owner>,
): Promise<number> {
  const pairs = Object.entries<string>(owner).map(([name, from]) => `'${name}', ${from}`);
  const keys = key.map((name) => owner[name]);
  const rows = await queryRows<SealedText<Owner>>(
    dataSource,
    `SELECT ${column} AS sealed, jsonb_build_object(${pairs.join(', ')}) AS owner
       FROM ${table} WHERE ${column} IS NOT NULL ORDER BY ${keys.join(', ')}`,
  );
  const isIt = keys.map((from, index) => `${from} = $${index + 3}`).join(' AND ');
  const replace = `UPDATE ${table} SET ${column} = $2 WHERE ${column} = $1 AND ${isIt} RETURNING 1`;
  return resealRows(dataSource, rows, reseal, replace, (of) => key.map((name) => of[name]));
}
