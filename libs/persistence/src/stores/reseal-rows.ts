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
 * Seals anew what `reseal` answers a new text for, one by one. Answers how many were replaced.
 *
 * @param replace a statement that puts the text $2 in the place of $1 in the row whose key is $3 and so on, and answers a
 *   row where it has: what somebody has replaced meanwhile stays
 * @param keyOf what the statement finds the row by
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
