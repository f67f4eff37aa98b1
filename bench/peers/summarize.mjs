// @ts-check
import { median } from '../measure/median.mjs';

/**
 * Results of one system over all rounds.
 * @typedef {object} PeerResult
 * @property {string} key
 * @property {string} title
 * @property {string} durable
 * @property {string} lacks
 * @property {Readonly<Record<string, string>>} packages
 * @property {readonly import('../measure/measure-runs.mjs').Measured[]} rounds empty when it was not measured
 * @property {string | null} notMeasured why not
 */

/**
 * Medians over all rounds.
 * @typedef {object} WaySummary
 * @property {number} rate
 * @property {number} p50
 * @property {number} p99
 * @property {number} aloneP50
 * @property {number} cpuMs of the system, PostgreSQL and Redis, per run
 */

/**
 * @param {PeerResult} result
 * @param {import('../measure/measure-runs.mjs').Way} way
 * @returns {WaySummary}
 */
export function summarize({ rounds }, way) {
  const middle = (
    /** @type {(measured: import('../measure/measure-runs.mjs').WayMeasured) => number} */ read,
  ) => median(rounds.map((round) => read(round[way])));
  return {
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    aloneP50: middle(({ aloneP50 }) => aloneP50),
    cpuMs: middle(cpuOf),
  };
}

/**
 * CPU of the system, PostgreSQL and Redis for a run, in ms.
 * @param {import('../measure/measure-runs.mjs').WayMeasured} measured
 */
export function cpuOf({ cpu }) {
  return cpu.system + cpu.postgres + cpu.redis;
}
