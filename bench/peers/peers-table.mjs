// @ts-check
import { showAim, showValue } from '../present/markdown-table.mjs';
import { showNumber, table } from '../present/table.mjs';
import { CLIENTS } from '../measure/measure-runs.mjs';
import { summarize } from './summarize.mjs';

const BYTES_PER_MB = 1e6;
const HEADINGS = [
  'system',
  'CPU a run, ms',
  `runs/s, ${CLIENTS} clients`,
  'p50 / p99, ms',
  'p50 of one client, ms',
  'RSS, MB',
  'durable',
  'lacks',
];

/**
 * One row for each system. In cells with two figures, the first is of one request that waits, the second of a submit and a
 * wait.
 * @param {readonly import('./summarize.mjs').PeerResult[]} results
 */
export function peersTable(results) {
  return table(HEADINGS, results.map(row));
}

/** @param {readonly import('../measure/figure.mjs').Figure[]} ratios */
export function ratiosTable(ratios) {
  return table(
    ['ratio', 'value', 'aim'],
    ratios.map((ratio) => [ratio.name, showValue(ratio), showAim(ratio)]),
  );
}

/** @param {import('./summarize.mjs').PeerResult} result */
function row(result) {
  const { title, durable, lacks, rounds, notMeasured } = result;
  if (rounds.length === 0) return [title, `not measured: ${notMeasured}`, '', '', '', '', durable, lacks];
  const ways = [summarize(result, 'once'), summarize(result, 'twice')];
  const both = (/** @type {(way: import('./summarize.mjs').WaySummary) => string} */ show) =>
    ways.map(show).join(' · ');
  const memory = Math.max(...rounds.map((round) => round.memory)) / BYTES_PER_MB;
  return [
    title,
    both(({ cpuMs }) => showNumber(cpuMs)),
    both(({ rate }) => showNumber(rate)),
    both(({ p50, p99 }) => `${showNumber(p50)} / ${showNumber(p99)}`),
    both(({ aloneP50 }) => showNumber(aloneP50)),
    showNumber(memory),
    durable,
    lacks,
  ];
}
