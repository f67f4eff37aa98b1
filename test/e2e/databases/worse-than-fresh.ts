import type { StatementRead } from './kept-plans-world.js';

/** Factor by which kept plans may read more, since no two runs are the same. */
const FACTOR = 1.5;
/** Blocks beyond that: two rows more in a batch, each looked up in about four indexes of three blocks. */
const BLOCKS = 25;

/** Statements that read more by a plan that was made while the tables were empty. */
export function worseThanFresh(reads: readonly StatementRead[]): readonly StatementRead[] {
  return reads.filter(({ kept, fresh }) => kept > FACTOR * fresh + BLOCKS);
}
