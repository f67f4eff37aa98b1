/** A cell as the document describes it. */
export interface GivenCell {
  readonly text: string;
  /** Number of columns spanned. */
  readonly columns: number;
  /** Number of rows spanned; the cell repeats in the rows below. */
  readonly rows: number;
  /** True if it continues the cell above, as marked by Word. */
  readonly goesOn?: boolean;
}

/** A cell with its position: first column, and end column exclusive. */
export interface PlacedCell {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Maximum columns; cells beyond have text only, without spans and labels. */
export const MAX_COLUMNS = 1_000;
/** Maximum characters of a merged cell that is repeated in each of its rows. */
const MAX_REPEATED_CHARS = 200;

interface Hanging extends PlacedCell {
  readonly rowsLeft: number;
}

/** Assigns columns to cells, row by row; cells spanning from above occupy theirs. */
export class TableCells {
  private hanging: readonly Hanging[] = [];
  /** Texts of cells that may continue below, by first column. */
  private readonly last = new Map<number, string>();

  /** True if a cell above extends into the next row. */
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
