// @ts-check
import { showNumber, table } from './table.mjs';

/**
 * @param {readonly import('../run-cases.mjs').CaseResult[]} results
 * @returns {string} one row per figure; those that have an aim say whether they reach it
 */
export function markdownTable(results) {
  return table(
    ['case', 'queue', 'figure', 'value', 'aim'],
    results.flatMap(({ key, backend, figures }) =>
      figures.map((figure) => [key, backend, figure.name, showValue(figure), showAim(figure)]),
    ),
  );
}

/** @param {import('../measure/figure.mjs').Figure} figure */
export function showValue({ value, unit }) {
  return unit === '' ? showNumber(value) : `${showNumber(value)} ${unit}`;
}

/** @param {import('../measure/figure.mjs').Figure} figure */
export function showAim({ aim }) {
  if (aim === null) return '';
  return `${aim.isAtLeast ? '≥' : '≤'} ${aim.value} ${aim.isMet ? '✓' : '✗'}`;
}
