import stringWidth from 'string-width';
import { clip, say, style, terminalWidth } from './terminal.ts';

const GAP = '  ';
const WIDEST = 44;
const NARROWEST_LAST = 12;

/**
 * Prints rows under dim headings. Columns fit their widest cell in terminal width (Japanese letters take two columns); the
 * last column gets the rest of the line.
 */
export function sayTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const last = headings.length - 1;
  const widths = headings.map((heading, column) =>
    Math.max(stringWidth(heading), ...rows.map((row) => stringWidth(clip(row[column] ?? '', WIDEST)))),
  );
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + GAP.length, GAP.length);
  const rest = Math.max(NARROWEST_LAST, terminalWidth() - before - 1);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === last ? clip(cell, rest) : pad(clip(cell, WIDEST), widths[column] ?? 0),
      )
      .join(GAP);
  say(`${GAP}${style.dim(line(headings))}`);
  for (const row of rows) say(`${GAP}${line(row)}`);
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}
