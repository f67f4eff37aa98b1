// @ts-check
import { showValue } from './markdown-table.mjs';
import { table } from './table.mjs';

const HEADINGS = /** @type {const} */ ({ postgres: 'PostgreSQL', redis: 'Redis' });

/**
 * All figures of a run as a document: a row for each, with a column for each measured queue.
 * @param {readonly import('../run-cases.mjs').CaseResult[]} results
 * @returns {string}
 */
export function figuresTable(results) {
  const backends = /** @type {const} */ (['postgres', 'redis']).filter((name) =>
    results.some(({ backend }) => backend === name),
  );
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const { key, backend, figures } of results) {
    for (const found of figures) {
      const name = `${key} ${found.name}`;
      const row = rows.get(name) ?? { key, name: found.name, aim: '', values: new Map() };
      rows.set(name, row);
      row.values.set(backend, showEvaluated(found));
      if (found.aim !== null) row.aim = `${found.aim.isAtLeast ? '≥' : '≤'} ${found.aim.value}`;
    }
  }
  const byCase = [...rows.values()].toSorted((one, other) => one.key.localeCompare(other.key));
  return table(
    ['case', 'figure', ...backends.map((backend) => HEADINGS[backend]), 'aim'],
    byCase.map(({ key, name, aim, values }) => [
      key,
      name,
      ...backends.map((backend) => values.get(backend) ?? ''),
      aim,
    ]),
  );
}

/** @typedef {{key: string, name: string, aim: string, values: Map<string, string>}} Row */

/** @param {import('../measure/figure.mjs').Figure} found */
function showEvaluated(found) {
  if (found.aim === null) return showValue(found);
  return `${showValue(found)} ${found.aim.isMet ? '✓' : '✗'}`;
}
