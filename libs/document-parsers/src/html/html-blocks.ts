import type { ParsedBlock } from '#libs/knowledge';
import type { GivenCell } from '../tables/table-cells.js';
import { TableRows } from '../tables/table-rows.js';
import { Visibility, type Attributes } from './visibility.js';

/** Elements that separate the texts before and after them. */
const BLOCKS = new Set([
  ...[
    'p',
    'div',
    'section',
    'article',
    'main',
    'aside',
    'header',
    'footer',
    'li',
    'ul',
    'ol',
    'dl',
    'dt',
    'dd',
  ],
  ...[
    'blockquote',
    'pre',
    'figure',
    'figcaption',
    'address',
    'details',
    'summary',
    'form',
    'fieldset',
    'table',
  ],
  ...['caption', 'body', 'html', 'hr', 'tr', 'td', 'th', 'dialog', 'center', 'legend', 'optgroup'],
]);
const HEADING = /^h([1-6])$/;

/** A table being read; nested tables count as layout, their text belongs to the outer cell. */
interface OpenTable {
  readonly rows: TableRows;
  head: boolean;
  row: { readonly cells: GivenCell[]; isHeader: boolean } | null;
  cell: Attributes;
}

/** Converts tags and texts of a page to blocks, in order. */
export class HtmlBlocks {
  private readonly visibility = new Visibility();
  private collected: string[] = [];
  private preformatted = 0;
  private tables = 0;
  private table: OpenTable | null = null;

  constructor(
    private readonly emit: (block: ParsedBlock) => void,
    /** CSS declarations of the page's own styles for an element. */
    private readonly stylesOf: (tag: string, attributes: Attributes) => string = () => '',
  ) {}

  open(tag: string, attributes: Attributes): void {
    this.visibility.enter(tag, attributes, this.stylesOf(tag, attributes));
    if (!this.visibility.isSeen) return;
    if (tag === 'br') this.collected.push('\n');
    if (tag === 'img') this.addImage(attributes['alt'] ?? '');
    if (BLOCKS.has(tag) || HEADING.test(tag)) this.flush();
    if (tag === 'pre') this.preformatted += 1;
    if (tag === 'table') this.openTable();
    if (this.table !== null && this.tables === 1) this.openPart(this.table, tag, attributes);
  }

  text(text: string): void {
    if (this.visibility.isSeen) this.collected.push(this.preformatted > 0 ? text : text.replace(/\s+/g, ' '));
  }

  close(tag: string): void {
    const { isSeen } = this.visibility;
    this.visibility.leave();
    if (!isSeen) return;
    const level = HEADING.exec(tag)?.[1];
    if (level !== undefined) this.endHeading(Number(level));
    else if ((tag === 'td' || tag === 'th') && this.tables === 1) this.endCell();
    else if (BLOCKS.has(tag)) this.flush();
    if (tag === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
    if (tag === 'thead' && this.table !== null && this.tables === 1) this.table.head = false;
    if (tag === 'tr' && this.tables === 1) this.endRow();
    if (tag === 'table') this.closeTable();
  }

  end(): void {
    while (this.tables > 0) this.closeTable();
    this.flush();
  }

  /** Alternative text of an image; an image without one is decorative. */
  private addImage(alt: string): void {
    if (alt.trim() !== '') this.collected.push(` ${alt.trim().replace(/\s+/g, ' ')} `);
  }

  private openTable(): void {
    this.tables += 1;
    if (this.tables === 1) this.table = { rows: new TableRows(), head: false, row: null, cell: {} };
  }

  private openPart(table: OpenTable, tag: string, attributes: Attributes): void {
    if (tag === 'thead') table.head = true;
    if (tag === 'tr') table.row = { cells: [], isHeader: true };
    if (tag === 'td' && table.row !== null) table.row.isHeader = false;
    if (tag === 'td' || tag === 'th') table.cell = attributes;
  }

  private closeTable(): void {
    if (this.tables === 1 && this.table !== null) {
      this.endRow();
      for (const cells of this.table.rows.end()) this.emit({ kind: 'row', cells });
      this.table = null;
    }
    this.tables = Math.max(0, this.tables - 1);
  }

  private endHeading(level: number): void {
    // A heading within a cell belongs to the cell.
    if (this.table?.row) {
      this.collected.push('\n');
      return;
    }
    const text = this.taken();
    if (text !== '') this.emit({ kind: 'heading', level, text });
  }

  /** All text within a row belongs to its cell. */
  private flush(): void {
    if (this.table?.row) {
      this.collected.push('\n');
      return;
    }
    const text = this.taken();
    if (text !== '') this.emit({ kind: 'text', text });
  }

  private endCell(): void {
    if (!this.table?.row) return;
    const { cell, row } = this.table;
    const columns = spanOf(cell['colspan'], MAX_COLSPAN);
    row.cells.push({
      text: this.taken().replace(/\s+/g, ' '),
      columns,
      rows: spanOf(cell['rowspan'], MAX_ROWSPAN),
    });
    this.table.cell = {};
  }

  private endRow(): void {
    if (this.table === null) return;
    const { row, rows, head } = this.table;
    this.table.row = null;
    if (row === null || row.cells.length === 0) return;
    const isHeader = row.isHeader || head || rows.isInHeader;
    const cells = isHeader ? rows.addHeader(row.cells) : rows.addValues(row.cells);
    if (cells !== null) this.emit({ kind: 'row', cells });
  }

  private taken(): string {
    const text = this.collected
      .join('')
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    this.collected = [];
    return text;
  }
}

/** Limits of the standard (WHATWG HTML, 4.9.11). */
const MAX_COLSPAN = 1_000;
const MAX_ROWSPAN = 65_534;

function spanOf(given: string | undefined, most: number): number {
  const span = Number.parseInt(given ?? '1', 10);
  // Zero spans the rest of the row group, with a number of rows that is still unknown.
  if (span === 0) return most;
  return Number.isNaN(span) || span < 0 ? 1 : Math.min(span, most);
}
