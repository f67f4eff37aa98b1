/** A cell as a document has it. */
export interface GivenCell {
  readonly text: string;
  /** Columns that it spans. */
  readonly columns: number;
  /** Rows that it spans: those below have it, too. */
  readonly rows: number;
  /** It belongs to the cell above it, as Word says it. */
  readonly goesOn?: boolean;
}

/** A cell in its place: from one column up to another one, which is left out. */
export interface PlacedCell {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Beyond so many columns cells have their text alone, without spans and labels. */
export const MAX_COLUMNS = 1_000;
/** A merged cell is said again in each of its rows where it is no longer than this. */
const MAX_REPEATED_CHARS = 200;

interface Hanging extends PlacedCell {
  readonly rowsLeft: number;
}

/** Gives the cells of a table their columns, row by row: what hangs down from rows above takes its place. */
export class TableCells {
  private hanging: readonly Hanging[] = [];
  /** Texts of cells that may go on below, by their first column. */
  private readonly last = new Map<number, string>();

  /** Whether a cell of a row above reaches into the next one. */
  get isSpanned(): boolean {
    return this.hanging.length > 0;
  }

  place(row: readonly GivenCell[]): readonly PlacedCell[] {
    const placed: PlacedCell[] = [];
    const begun: Hanging[] = [];
    let column = 0;
    let next = 0;
    const takeHanging = (before: number): void => {
      for (
        let cell = this.hanging[next];
        cell !== undefined && cell.from <= before;
        cell = this.hanging[next]
      ) {
        next += 1;
        if (cell.to <= column) continue;
        placed.push({ text: cell.text, from: cell.from, to: cell.to });
        column = cell.to;
      }
    };
    for (const cell of row) {
      takeHanging(column);
      const from = column;
      const to = from >= MAX_COLUMNS ? from + 1 : Math.min(MAX_COLUMNS, from + Math.max(1, cell.columns));
      placed.push({ text: this.textOf(cell, from), from, to });
      if (cell.rows > 1 && from < MAX_COLUMNS)
        begun.push({ text: repeatable(cell.text), from, to, rowsLeft: cell.rows });
      column = to;
    }
    takeHanging(Infinity);
    this.hanging = [...this.hanging, ...begun]
      .map((cell) => ({ ...cell, rowsLeft: cell.rowsLeft - 1 }))
      .filter(({ rowsLeft }) => rowsLeft > 0)
      .sort((a, b) => a.from - b.from);
    return placed;
  }

  private textOf({ text, goesOn = false }: GivenCell, from: number): string {
    if (from >= MAX_COLUMNS) return text;
    if (!goesOn) this.last.set(from, repeatable(text));
    return goesOn && text === '' ? (this.last.get(from) ?? '') : text;
  }
}

function repeatable(text: string): string {
  return text.length <= MAX_REPEATED_CHARS ? text : '';
}
