import type { ParsedBlock } from '#libs/knowledge';

/** Characters processed before yielding to the event loop. */
const PORTION_CHARS = 4_000;

/** Groups blocks into portions of about this size, in order; none is empty. Pure. */
export function portionsOf(blocks: readonly ParsedBlock[]): readonly (readonly ParsedBlock[])[] {
  const portions: ParsedBlock[][] = [];
  let left = 0;
  for (const block of blocks) {
    if (left <= 0) {
      portions.push([]);
      left = PORTION_CHARS;
    }
    portions.at(-1)?.push(block);
    left -= charsOf(block);
  }
  return portions;
}

/** Characters of a block, including column names. Pure. */
export function charsOf(block: ParsedBlock): number {
  if (block.kind !== 'row') return block.text.length;
  return block.cells.reduce((sum, [column, value]) => sum + column.length + value.length, 0);
}
