import { UnreadableDocumentError, type ParsedBlock } from '#libs/knowledge';
import type { WriteBlock } from './block-writer.js';

/** A longer text is more than one block: whoever makes chunks of blocks holds each of them whole. */
const MAX_BLOCK_CHARS = 10_000;

/** Passes blocks on that have something in them; a document with more text than allowed is at fault. */
export class BoundedWriter {
  private left: number;
  private count = 0;

  constructor(
    private readonly write: WriteBlock,
    mostChars: number,
  ) {
    this.left = mostChars;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  readonly add = async (block: ParsedBlock): Promise<void> => {
    for (const part of partsOf(block)) {
      this.left -= charsOf(part);
      if (this.left < 0) throw new UnreadableDocumentError('too_long');
      this.count += 1;
      await this.write(part);
    }
  };
}

function partsOf(block: ParsedBlock): readonly ParsedBlock[] {
  if (block.kind === 'row') return block.cells.some(([, value]) => value.trim() !== '') ? [block] : [];
  if (block.text.trim() === '') return [];
  if (block.kind === 'heading' || block.text.length <= MAX_BLOCK_CHARS) return [block];
  return cut(block.text).map((text) => ({ ...block, text }));
}

/** At a blank where there is one near the end of a part, never inside of a character. */
function cut(text: string): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > MAX_BLOCK_CHARS) {
    const head = rest.slice(0, MAX_BLOCK_CHARS);
    const blank = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
    const isHalf = /[\uD800-\uDBFF]$/.test(head);
    const end = blank > MAX_BLOCK_CHARS / 2 ? blank : head.length - (isHalf ? 1 : 0);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

function charsOf(block: ParsedBlock): number {
  if (block.kind !== 'row') return block.text.length;
  return block.cells.reduce((sum, [column, value]) => sum + column.length + value.length, 0);
}
