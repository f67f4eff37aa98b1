import type { ParsedBlock } from '#libs/knowledge';

const HEADING_STYLE = /^(?:heading|berschrift|überschrift|titre|見出し)\s*([1-9])$/i;
const MAX_LEVEL = 6;

/** Makes blocks of the elements of `word/document.xml` (ECMA-376, part 1, 17), in their order. */
export class DocxBlocks {
  private paragraph = '';
  private isText = false;
  private level: number | null = null;
  private tables = 0;
  private columns: readonly string[] | null = null;
  private cells: string[] = [];

  constructor(private readonly emit: (block: ParsedBlock) => void) {}

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'w:t':
        this.isText = true;
        return;
      case 'w:tab':
        this.paragraph += '\t';
        return;
      case 'w:br':
      case 'w:cr':
        this.paragraph += '\n';
        return;
      case 'w:pStyle':
        this.level = levelOf(attributes['w:val'] ?? '');
        return;
      case 'w:tbl':
        this.tables += 1;
        if (this.tables === 1) this.columns = null;
        return;
      default:
        // All that is not text, such as how it looks.
        return;
    }
  }

  text(text: string): void {
    if (this.isText) this.paragraph += text;
  }

  close(name: string): void {
    switch (name) {
      case 'w:t':
        this.isText = false;
        return;
      case 'w:p':
        this.endParagraph();
        return;
      case 'w:tc':
        if (this.tables === 1) this.cells.push(this.taken());
        return;
      case 'w:tr':
        if (this.tables === 1) this.endRow();
        return;
      case 'w:tbl':
        this.tables = Math.max(0, this.tables - 1);
        return;
      default:
        return;
    }
  }

  private endParagraph(): void {
    // Paragraphs of a table belong to their cell.
    if (this.tables > 0) {
      this.paragraph += '\n';
      return;
    }
    const { level } = this;
    const text = this.taken();
    this.level = null;
    if (text === '') return;
    this.emit(level === null ? { kind: 'text', text } : { kind: 'heading', level, text });
  }

  private endRow(): void {
    const { cells, columns } = this;
    this.cells = [];
    this.level = null;
    if (columns === null) {
      this.columns = cells;
      // A table of one row says nothing else.
      this.emit({ kind: 'row', cells: cells.map((value) => ['', value]) });
    } else this.emit({ kind: 'row', cells: cells.map((value, index) => [columns[index] ?? '', value]) });
  }

  private taken(): string {
    const text = this.paragraph.trim();
    this.paragraph = '';
    return text;
  }
}

/** Word writes the id of a style, `Heading1`, in the language it was made in. */
function levelOf(style: string): number | null {
  if (/^title$/i.test(style)) return 1;
  const level = HEADING_STYLE.exec(style)?.[1];
  return level === undefined ? null : Math.min(MAX_LEVEL, Number(level));
}
