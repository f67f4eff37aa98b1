// @ts-check
import { median } from '../measure/median.mjs';
import { showNumber, table } from '../present/table.mjs';

/** @typedef {import('../measure/measure-runs.mjs').Measured} Measured */
/** @typedef {{first: Measured, second: Measured}} Pair both sides, measured one after the other */

/** @type {readonly (readonly [string, (measured: Measured) => number])[]} */
const FIGURES = [
  ...figuresOf('once', 'one request'),
  ...figuresOf('twice', 'two requests'),
  ['RSS, MB', ({ memory }) => memory / 1e6],
];

/**
 * One row for each figure: the medians of both sides, the median of the ratios of all pairs, and in how many pairs the
 * second side is lower.
 * @param {readonly Pair[]} pairs
 */
export function pairsTable(pairs) {
  return table(
    ['figure', 'first', 'second', 'second / first', 'lower in'],
    FIGURES.map(([name, read]) => {
      const of = (/** @type {'first' | 'second'} */ side) => pairs.map((pair) => read(pair[side]));
      const ratios = pairs.map(({ first, second }) => read(second) / read(first));
      const lower = ratios.filter((ratio) => ratio < 1).length;
      const ratio = median(ratios).toFixed(3);
      return [
        name,
        showNumber(median(of('first'))),
        showNumber(median(of('second'))),
        ratio,
        `${lower} of ${pairs.length}`,
      ];
    }),
  );
}

/**
 * @param {import('../measure/measure-runs.mjs').Way} way
 * @param {string} title
 * @returns {(readonly [string, (measured: Measured) => number])[]}
 */
function figuresOf(way, title) {
  return [
    [`CPU per run, ms, ${title}`, ({ [way]: { cpu } }) => cpu.system + cpu.postgres + cpu.redis],
    [`of that API and worker, ${title}`, ({ [way]: { cpu } }) => cpu.system],
    [`of that PostgreSQL, ${title}`, ({ [way]: { cpu } }) => cpu.postgres],
    [`p50 of one client, ms, ${title}`, ({ [way]: { aloneP50 } }) => aloneP50],
  ];
}
