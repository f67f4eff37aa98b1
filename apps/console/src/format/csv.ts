export type CsvCell = string | number | null;

/**
 * A table as CSV by RFC 4180, with CRLF and a header. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front of it; null is written as `unknown`. Pure.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

/** Beginnings that spreadsheets take for a formula, also behind blanks. */
const FORMULA = /^\s*[=+\-@\t\r]|^[\t\r\n]/;

function cellOf(cell: CsvCell): string {
  if (cell === null) return 'unknown';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) && !isNumber(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?$/.test(text);
