import type { ParsedBlock } from '#libs/knowledge';
import type { GivenCell } from '../tables/table-cells.js';
import { TableRows } from '../tables/table-rows.js';
import type { Attributes } from './read-xml.js';
import { isOn } from './skipped-content.js';

interface OpenCell {
  columns: number;
  goesOn: boolean;
  joinsPrevious: boolean;
}

/** Bit of `w:tblLook` that marks the first row as header (ECMA-376, part 1, 17.7.6.7). */
const FIRST_ROW = 0x20;

/** Converts the elements of one table to rows with column names. */
export class DocxTable {
  private readonly rows = new TableRows();
  private cells: GivenCell[] = [];
  private cell: OpenCell = newCell();
  private count = 0;
  private isMarked = false;
  private hasHeader = true;
  /** True if a header cell spans several columns; the next row then names these columns. */
  private hasGroups = false;
  private isInHeader = true;

  constructor(private readonly emit: (block: ParsedBlock) => void) {}

  open(name: string, attributes: Attributes): void {
    const value = attributes['w:val'];
    switch (name) {
      case 'w:tr':
        this.cells = [];
        this.isMarked = false;
        return;
      case 'w:tc':
        this.cell = newCell();
        return;
      case 'w:gridSpan':
        this.cell.columns = Math.max(1, Number.parseInt(value ?? '1', 10) || 1);
        return;
      case 'w:gridBefore':
        this.cells.push({ text: '', columns: Number.parseInt(value ?? '1', 10) || 1, rows: 1 });
        return;
      case 'w:vMerge':
        this.cell.goesOn = value !== 'restart';
        return;
      case 'w:hMerge':
        this.cell.joinsPrevious = value !== 'restart';
        return;
      case 'w:tblHeader':
        this.isMarked = isOn(value);
        return;
      case 'w:tblLook':
        this.hasHeader = isFirstRowNamed(attributes);
        return;
      default:
        return;
    }
  }

  endCell(text: string): void {
    const { columns, goesOn, joinsPrevious } = this.cell;
    const previous = this.cells.at(-1);
    if (joinsPrevious && previous !== undefined)
      this.cells[this.cells.length - 1] = { ...previous, columns: previous.columns + columns };
    else this.cells.push({ text, columns, rows: 1, goesOn });
  }

  endRow(): void {
    const { cells } = this;
    this.cells = [];
    if (cells.length === 0) return;
    this.isInHeader &&= this.isHeader(cells);
    this.count += 1;
    if (!this.isInHeader) {
      this.emit({ kind: 'row', cells: this.rows.addValues(cells) });
      return;
    }
    this.hasGroups ||= cells.some(({ columns }) => columns > 1);
    this.rows.addHeader(cells);
    // Word rarely marks header rows reliably, so header rows are also emitted as rows.
    this.emit({ kind: 'row', cells: cells.map(({ text }) => ['', text] as const) });
  }

  /** Header rows are leading rows: the first one, marked ones, and the ones that continue a spanning header cell. */
  private isHeader(cells: readonly GivenCell[]): boolean {
    if (this.count === 0) return this.hasHeader || this.isMarked;
    if (this.isMarked) return true;
    if (!this.hasGroups) return false;
    return cells.some(({ goesOn = false }) => goesOn) || (this.count === 1 && cells.every(isName));
  }
}

function newCell(): OpenCell {
  return { columns: 1, goesOn: false, joinsPrevious: false };
}

/** True if the cell is more likely a column name than a value. */
function isName({ text, columns }: GivenCell): boolean {
  return columns === 1 && text !== '' && !/\p{N}/u.test(text);
}

function isFirstRowNamed(attributes: Attributes): boolean {
  const named = attributes['w:firstRow'];
  if (named !== undefined) return isOn(named);
  const bits = Number.parseInt(attributes['w:val'] ?? '', 16);
  return Number.isNaN(bits) || (bits & FIRST_ROW) !== 0;
}
