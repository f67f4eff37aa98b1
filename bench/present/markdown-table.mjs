/**
 * @param {readonly import('../run-cases.mjs').CaseResult[]} results
 * @returns {string} one row per figure; those that have an aim say whether they reach it
 */
export function markdownTable(results) {
  const rows = results.flatMap(({ key, backend, figures }) =>
    figures.map((figure) => [key, backend, figure.name, showValue(figure), showAim(figure)]),
  );
  const table = [['case', 'queue', 'figure', 'value', 'aim'], ...rows];
  const widths = ['case', 'queue', 'figure', 'value', 'aim'].map((_heading, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [heading = [], ...body] = table;
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

/** @param {import('../measure/figure.mjs').Figure} figure */
function showValue({ value, unit }) {
  return unit === '' ? showNumber(value) : `${showNumber(value)} ${unit}`;
}

/** @param {number} value */
function showNumber(value) {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits);
}

/** @param {import('../measure/figure.mjs').Figure} figure */
function showAim({ aim }) {
  if (aim === null) return '';
  return `${aim.isAtLeast ? '≥' : '≤'} ${aim.value} ${aim.isMet ? '✓' : '✗'}`;
}
