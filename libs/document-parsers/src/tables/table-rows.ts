import { MAX_COLUMNS, TableCells, type GivenCell, type PlacedCell } from './table-cells.js';

type Row = readonly (readonly [column: string, value: string])[];

/** Maximum header rows; further ones are read as values. */
const MAX_HEADER_ROWS = 8;
/** Maximum characters of a name; one more than is shown, so that truncation is detected. */
const MAX_NAME_CHARS = 201;
/** Separator between the names of a column group and its column. */
const PART_OF = ' / ';

/**
 * Converts table rows, naming each value by its column, from all header rows: `Price / Net`. A value that spans columns
 * gets the common part of their names, or none.
 */
export class TableRows {
  private readonly cells = new TableCells();
  /** Names by column, outermost first. */
  private names: string[][] = [];
  private headers: (readonly PlacedCell[])[] = [];
  private hasGroups = false;
  private hasValues = false;

  /** True if the next row continues the header without being marked: it names the columns of a group. */
  get isInHeader(): boolean {
    return this.headers.length > 0 && !this.hasValues && this.hasGroups && this.cells.isSpanned;
  }

  /** Adds a header row. Returns it as a row if it stands among values, else null. */
  addHeader(row: readonly GivenCell[]): Row | null {
    const placed = this.cells.place(row);
    if (this.hasValues) {
      // A title row within the table keeps the column names.
      if (placed.length <= 1) return unnamed(placed);
      this.names = [];
      this.headers = [];
      this.hasValues = false;
    }
    if (this.headers.length >= MAX_HEADER_ROWS) return unnamed(placed);
    this.headers.push(placed);
    this.hasGroups ||= placed.some(({ from, to }) => to - from > 1);
    for (const { text, from, to } of placed)
      this.name(text.slice(0, MAX_NAME_CHARS), from, Math.min(to, MAX_COLUMNS));
    return null;
  }

  addValues(row: readonly GivenCell[]): Row {
    this.hasValues = true;
    return this.cells.place(row).map(({ text, from, to }) => {
      const names = this.namesOf(from, to);
      // A header cell that extends into this row is no value.
      return [names.join(PART_OF), text === names.at(-1) ? '' : text] as const;
    });
  }

  /** The header rows of a table without values, which would otherwise be lost. */
  end(): readonly Row[] {
    return this.hasValues ? [] : this.headers.map(unnamed);
  }

  private name(text: string, from: number, to: number): void {
    for (let column = from; column < to; column += 1) {
      const parts = (this.names[column] ??= []);
      if (text !== '' && parts.at(-1) !== text) parts.push(text);
    }
  }

  private namesOf(from: number, to: number): readonly string[] {
    const first = this.names[from] ?? [];
    let shared = first.length;
    for (let column = from + 1; column < to; column += 1) {
      const parts = this.names[column] ?? [];
      while (shared > 0 && parts[shared - 1] !== first[shared - 1]) shared -= 1;
    }
    return first.slice(0, shared);
  }
}

function unnamed(placed: readonly PlacedCell[]): Row {
  return placed.map(({ text }) => ['', text] as const);
}
