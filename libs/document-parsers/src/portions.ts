import type { ParsedBlock } from '#libs/knowledge';

/** Characters of text that are worked on at once: more would hold up other work of the process. */
const PORTION_CHARS = 4_000;

/** Pure: blocks in portions of about so much text, in their order; none of them is empty. */
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

/** Pure: with the names of columns. */
export function charsOf(block: ParsedBlock): number {
  if (block.kind !== 'row') return block.text.length;
  return block.cells.reduce((sum, [column, value]) => sum + column.length + value.length, 0);
}
