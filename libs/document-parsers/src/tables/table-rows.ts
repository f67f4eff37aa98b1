import { MAX_COLUMNS, TableCells, type GivenCell, type PlacedCell } from './table-cells.js';

type Row = readonly (readonly [column: string, value: string])[];

/** Rows that name columns, at most; more are read as values. */
const MAX_HEADER_ROWS = 8;
/** Longer names are cut where they stand before values; one more than is shown, so that the cut is noticed. */
const MAX_NAME_CHARS = 201;
/** Between the names of a group of columns and of one of it. */
const PART_OF = ' / ';

/**
 * Makes rows of a table, each value with the name of its column, of as many header rows as there are: `Price / Net`. A value
 * that spans columns has what their names share, or no name.
 */
export class TableRows {
  private readonly cells = new TableCells();
  /** Names by column, outermost first. */
  private names: string[][] = [];
  private headers: (readonly PlacedCell[])[] = [];
  private hasGroups = false;
  private hasValues = false;

  /** Whether the next row names columns although it does not say so: the names of a group stand there, below others. */
  get isInHeader(): boolean {
    return this.headers.length > 0 && !this.hasValues && this.hasGroups && this.cells.isSpanned;
  }

  /** A row that names columns. Answers what it says where it stands among values: null elsewhere. */
  addHeader(row: readonly GivenCell[]): Row | null {
    const placed = this.cells.place(row);
    if (this.hasValues) {
      // A title within the table leaves its columns as they are.
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

  /** A row of values. */
  addValues(row: readonly GivenCell[]): Row {
    this.hasValues = true;
    return this.cells.place(row).map(({ text, from, to }) => {
      const names = this.namesOf(from, to);
      // A cell of the header that reaches down here says nothing of this row.
      return [names.join(PART_OF), text === names.at(-1) ? '' : text] as const;
    });
  }

  /** The header where no values have come: it would be lost. */
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
