import type { ParsedBlock } from '#libs/knowledge';

/** What nobody reads as a part of the text. */
const UNREAD = new Set([
  ...['script', 'style', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'head', 'nav'],
  ...['select', 'button', 'textarea'],
]);
/** Text before and after them does not belong together. */
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
  ...['caption', 'body', 'html', 'hr', 'tr', 'td', 'th'],
]);
const HEADING = /^h([1-6])$/;

/** Makes blocks of the tags and texts of a page, in their order. */
export class HtmlBlocks {
  private collected = '';
  private unread = 0;
  private preformatted = 0;
  private tables = 0;
  private columns: readonly string[] = [];
  private row: { readonly cells: string[]; isHeader: boolean } | null = null;

  constructor(private readonly emit: (block: ParsedBlock) => void) {}

  open(tag: string): void {
    if (UNREAD.has(tag)) this.unread += 1;
    if (this.unread > 0) return;
    if (tag === 'br') this.collected += '\n';
    if (BLOCKS.has(tag) || HEADING.test(tag)) this.flush();
    if (tag === 'pre') this.preformatted += 1;
    if (tag === 'table') {
      this.tables += 1;
      if (this.tables === 1) this.columns = [];
    }
    // Tables inside of tables are there for their looks: their texts are those of the cell.
    if (tag === 'tr' && this.tables === 1) this.row = { cells: [], isHeader: true };
    if (tag === 'td' && this.tables === 1 && this.row !== null) this.row.isHeader = false;
  }

  text(text: string): void {
    if (this.unread === 0) this.collected += this.preformatted > 0 ? text : text.replace(/\s+/g, ' ');
  }

  close(tag: string): void {
    if (UNREAD.has(tag)) {
      this.unread = Math.max(0, this.unread - 1);
      return;
    }
    if (this.unread > 0) return;
    const level = HEADING.exec(tag)?.[1];
    if (level !== undefined) this.endHeading(Number(level));
    else if ((tag === 'td' || tag === 'th') && this.tables === 1) this.endCell();
    else if (BLOCKS.has(tag)) this.flush();
    if (tag === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
    if (tag === 'tr' && this.tables === 1) this.endRow();
    if (tag === 'table') this.tables = Math.max(0, this.tables - 1);
  }

  end(): void {
    this.endRow();
    this.flush();
  }

  private endHeading(level: number): void {
    const text = this.taken();
    if (text !== '') this.emit({ kind: 'heading', level, text });
  }

  /** Inside of a row everything belongs to its cell. */
  private flush(): void {
    if (this.row !== null) {
      this.collected += '\n';
      return;
    }
    const text = this.taken();
    if (text !== '') this.emit({ kind: 'text', text });
  }

  private endCell(): void {
    this.row?.cells.push(this.taken().replace(/\s+/g, ' '));
  }

  private endRow(): void {
    const { row } = this;
    this.row = null;
    if (row === null) return;
    if (row.isHeader && this.columns.length === 0) this.columns = row.cells;
    else
      this.emit({ kind: 'row', cells: row.cells.map((value, index) => [this.columns[index] ?? '', value]) });
  }

  private taken(): string {
    const text = this.collected
      .replace(/[ \t]+\n/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
    this.collected = '';
    return text;
  }
}
