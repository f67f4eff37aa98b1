import { oneLine } from './plain-text.js';

export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | null;
  /** Gives way where the terminal is narrow. */
  readonly isWide?: boolean;
}

const GAP = '  ';
const LEAST_WIDE = 10;
/** Width of a wide column where there is no terminal. */
const UNBOUNDED = 200;

/**
 * A table in columns, each line a row; its first line has the titles. Pure.
 * @param columns of the terminal; null where there is none
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number | null,
): string[] {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => oneLine(String(column.of(row) ?? '—'), UNBOUNDED))),
  ];
  const widths = columns.map((_column, at) => Math.max(...cells.map((line) => lengthOf(line[at]))));
  fit(widths, columns, width);
  return cells.map((line) =>
    line
      .map((cell, at) => oneLine(cell, widths[at] ?? 0))
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - lengthOf(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

function fit<Row>(widths: number[], columns: readonly Column<Row>[], width: number | null): void {
  if (width === null) return;
  const whole = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1);
  let excess = whole - width;
  for (const [at, { isWide }] of columns.entries()) {
    if (excess <= 0 || isWide !== true) continue;
    const given = Math.min(excess, Math.max(0, (widths[at] ?? 0) - LEAST_WIDE));
    widths[at] = (widths[at] ?? 0) - given;
    excess -= given;
  }
}

function lengthOf(text: string | undefined): number {
  return [...(text ?? '')].length;
}
