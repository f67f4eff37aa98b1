import { clip, say, style, terminalWidth } from './terminal.mjs';

const GAP = '  ';

/**
 * Prints rows under dim headings. Columns are as wide as their longest cell; the last one gets what is left of the
 * line.
 * @param {readonly string[]} headings
 * @param {readonly (readonly string[])[]} rows
 */
export function sayTable(headings, rows) {
  const widths = headings.map((heading, column) =>
    Math.max(widthOf(heading), ...rows.map((row) => widthOf(clip(row[column] ?? '', 44)))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, GAP.length);
  const last = Math.max(12, terminalWidth() - before - 1);
  const line = (/** @type {readonly string[]} */ cells) =>
    cells
      .map((cell, column) => {
        const isLast = column === cells.length - 1;
        return isLast ? clip(cell, last) : pad(clip(cell, 44), widths[column] ?? 0);
      })
      .join(GAP);
  say(`${GAP}${style.dim(line(headings))}`);
  for (const row of rows) say(`${GAP}${line(row)}`);
}

/** @param {string} text @param {number} width */
function pad(text, width) {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Columns on a terminal: Japanese letters take two. @param {string} text */
function widthOf(text) {
  return [...text].reduce(
    (sum, letter) =>
      sum +
      (/[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u.test(
        letter,
      )
        ? 2
        : 1),
    0,
  );
}
