import type { StatementRead } from './kept-plans-world.js';

/** Factor and blocks by which kept plans may read more: the runs of both differ, and so do the sizes of batches. */
const FACTOR = 1.5;
const BLOCKS = 25;

/** Statements that read more by a plan that was made while the tables were empty. */
export function worseThanFresh(reads: readonly StatementRead[]): readonly StatementRead[] {
  return reads.filter(({ kept, fresh }) => kept > FACTOR * fresh + BLOCKS);
}
