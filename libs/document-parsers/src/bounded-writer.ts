import {
  DocumentWarnings,
  MAX_HEADING_CHARS,
  UnreadableDocumentError,
  type ParsedBlock,
} from '#libs/knowledge';
import type { BlockSink } from './block-sink.js';
import { charsOf } from './portions.js';

/**
 * Maximum characters per block, since blocks are kept in memory while chunks are made; longer texts and rows are split.
 */
const MAX_BLOCK_CHARS = 4_000;
/** Maximum characters of a column name, which is repeated before each value. */
const MAX_LABEL_CHARS = 200;

/** Passes non-empty blocks on, and rejects documents with too much text. */
export class BoundedWriter implements BlockSink {
  readonly warnings = new DocumentWarnings();
  private left: number;
  private count = 0;

  constructor(
    private readonly pass: BlockSink['write'],
    maxChars: number,
  ) {
    this.left = maxChars;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  readonly write = async (block: ParsedBlock): Promise<void> => {
    for (const part of this.partsOf(block)) {
      this.left -= charsOf(part);
      if (this.left < 0) throw new UnreadableDocumentError('too_long');
      this.count += 1;
      await this.pass(part);
    }
  };

  readonly warn: BlockSink['warn'] = (code, page) => this.warnings.add(code, page);

  private partsOf(block: ParsedBlock): Iterable<ParsedBlock> {
    if (block.kind === 'row') return this.rowsOf(block);
    if (block.text.trim() === '') return [];
    const texts = cut(block.text).map((text): ParsedBlock => ({ ...block, kind: 'text', text }));
    if (block.kind === 'text') return texts;
    // A heading is shown truncated, so a long one is also written as text.
    return block.text.length <= MAX_HEADING_CHARS ? [block] : [block, ...texts];
  }

  /** Splits a row into rows within the limit; each cell keeps its column. */
  private *rowsOf(row: ParsedRow): Generator<ParsedRow> {
    let cells: Cell[] = [];
    let chars = 0;
    for (const [name, value] of row.cells) {
      if (value.trim() === '') continue;
      const label = this.labelOf(name);
      for (const part of cut(value)) {
        const more = label.length + part.length;
        if (chars > 0 && chars + more > MAX_BLOCK_CHARS) {
          yield { ...row, cells };
          cells = [];
          chars = 0;
        }
        cells.push([label, part]);
        chars += more;
      }
    }
    if (cells.length > 0) yield { ...row, cells };
  }

  private labelOf(name: string): string {
    if (name.length <= MAX_LABEL_CHARS) return name;
    this.warn('truncated');
    return name.slice(0, MAX_LABEL_CHARS).toWellFormed();
  }
}

type ParsedRow = Extract<ParsedBlock, { kind: 'row' }>;
type Cell = ParsedRow['cells'][number];

/** Splits at a blank near the end of a part if possible, and never within a character. */
function cut(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  while (text.length - from > MAX_BLOCK_CHARS) {
    const head = text.slice(from, from + MAX_BLOCK_CHARS);
    const blank = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
    const isHalf = /[\uD800-\uDBFF]$/.test(head);
    const end = blank > MAX_BLOCK_CHARS / 2 ? blank : head.length - (isHalf ? 1 : 0);
    parts.push(text.slice(from, from + end));
    from += end;
  }
  parts.push(text.slice(from));
  return parts;
}
