// @ts-check
/**
 * A Markdown table with each column as wide as its longest cell.
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
export function table(headings, rows) {
  const widths = headings.map((_heading, column) =>
    Math.max(3, ...[headings, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(headings), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Rounds to about three digits. @param {number} value */
export function showNumber(value) {
  if (Number.isNaN(value)) return '–';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}
