// @ts-check
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { cpuOf, summarize } from './summarize.mjs';

/** Aims of Capstan by its queue: minimum ratios of rates, by the way that clients wait; maximum CPU of a run, in ms. */
const AIMS = {
  'capstan-redis': {
    rates: { bullmq: { once: 1.0, twice: 0.9 }, restate: { once: 1.3, twice: 1.3 } },
    cpuMs: 3.0,
  },
  'capstan-postgres': {
    rates: { bullmq: { once: 0.9, twice: 0.8 }, restate: { once: 1.3, twice: 1.3 } },
    cpuMs: 3.4,
  },
};
const BY_HAND = 'bullmq';
const FLOOR = 'floor';
const MAX_OVER_BY_HAND_MS = 4;
/** Maximum CPU of a run over that of the floor. */
const MAX_OVER_FLOOR = 2.8;
const WAYS = /** @type {const} */ ([
  { way: 'once', title: 'one request each' },
  { way: 'twice', title: 'two requests each' },
]);

/**
 * @param {readonly import('./summarize.mjs').PeerResult[]} results
 * @returns {import('../measure/figure.mjs').Figure[]} CPU of Capstan, and the ratios of which both sides were measured
 */
export function peerRatios(results) {
  const measured = results.filter(({ rounds }) => rounds.length > 0);
  const find = (/** @type {string} */ wanted) => measured.find(({ key }) => key === wanted);
  return Object.entries(AIMS).flatMap(([key, { rates, cpuMs }]) => {
    const ours = find(key);
    if (ours === undefined) return [];
    return [
      ...compareCpu(ours, find(FLOOR), cpuMs),
      ...Object.entries(rates).flatMap(([peer, atLeast]) => compareRates(ours, find(peer), atLeast)),
      ...compareAlone(ours, find(BY_HAND)),
    ];
  });
}

/** @typedef {import('./summarize.mjs').PeerResult} PeerResult */

/** @param {PeerResult} ours @param {PeerResult | undefined} floor @param {number} atMost */
function compareCpu(ours, floor, atMost) {
  const own = figure(`${ours.title}: CPU a run, one request`, summarize(ours, 'once').cpuMs, 'ms', {
    atMost,
  });
  if (floor === undefined) return [own];
  const ratio = byRounds(ours, floor, ({ once }) => cpuOf(once));
  return [
    own,
    figure(`${ours.title} / ${floor.title}: CPU a run, one request`, ratio, '', { atMost: MAX_OVER_FLOOR }),
  ];
}

/**
 * @param {PeerResult} ours
 * @param {PeerResult | undefined} theirs
 * @param {Record<import('../measure/measure-runs.mjs').Way, number>} aims
 */
function compareRates(ours, theirs, aims) {
  if (theirs === undefined) return [];
  return WAYS.map(({ way, title }) => {
    const ratio = byRounds(ours, theirs, (round) => round[way].rate);
    return figure(`${ours.title} / ${theirs.title}: rate, ${title}`, ratio, '', { atLeast: aims[way] });
  });
}

/**
 * The median of the ratios, round by round, so that a drift of the machine's speed affects both sides alike.
 * @param {PeerResult} ours
 * @param {PeerResult} theirs
 * @param {(round: import('../measure/measure-runs.mjs').Measured) => number} read
 */
function byRounds(ours, theirs, read) {
  const pairs = ours.rounds
    .slice(0, theirs.rounds.length)
    .map((round, index) => ({ round, other: theirs.rounds[index] }));
  return median(
    pairs.flatMap(({ round, other }) => (other === undefined ? [] : [read(round) / read(other)])),
  );
}

/** @param {PeerResult} ours @param {PeerResult | undefined} byHand */
function compareAlone(ours, byHand) {
  if (byHand === undefined) return [];
  return WAYS.map(({ way, title }) => {
    const over = summarize(ours, way).aloneP50 - summarize(byHand, way).aloneP50;
    const name = `${ours.title} over ${byHand.title}: p50 of one client, ${title}`;
    return figure(name, over, 'ms', { atMost: MAX_OVER_BY_HAND_MS });
  });
}
