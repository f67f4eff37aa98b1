// @ts-check
import { figure } from '../measure/figure.mjs';
import { median } from '../measure/median.mjs';
import { summarize } from './summarize.mjs';

/** Minimum ratios of Capstan's rates to others, by the queue of Capstan. */
const AIMS = {
  'capstan-redis': { bullmq: 1.0, restate: 1.2 },
  'capstan-postgres': { bullmq: 0.8, restate: 1.0 },
};
const BY_HAND = 'bullmq';
const MAX_OVER_BY_HAND_MS = 5;
/** Ways of the compared rates. The first two are the same for both sides; the last is the usual way of each. */
const PAIRS = /** @type {const} */ ([
  { ours: 'once', theirs: 'once', title: 'one request each' },
  { ours: 'twice', theirs: 'twice', title: 'two requests each' },
  { ours: 'once', theirs: 'twice', title: 'one request, against two' },
]);

/**
 * @param {readonly import('./summarize.mjs').PeerResult[]} results
 * @returns {import('../measure/figure.mjs').Figure[]} the ratios of which both sides were measured
 */
export function peerRatios(results) {
  const measured = results.filter(({ rounds }) => rounds.length > 0);
  return Object.entries(AIMS).flatMap(([key, aims]) => {
    const ours = measured.find((result) => result.key === key);
    if (ours === undefined) return [];
    return [
      ...Object.entries(aims).flatMap(([peer, atLeast]) => {
        const theirs = measured.find((result) => result.key === peer);
        return theirs === undefined ? [] : compareRates(ours, theirs, atLeast);
      }),
      ...compareAlone(
        ours,
        measured.find((result) => result.key === BY_HAND),
      ),
    ];
  });
}

/** @typedef {import('./summarize.mjs').PeerResult} PeerResult */

/** @param {PeerResult} ours @param {PeerResult} theirs @param {number} atLeast */
function compareRates(ours, theirs, atLeast) {
  return PAIRS.map((pair) => {
    // Round by round, so that a drift of the machine's speed affects both sides alike.
    const ratios = ours.rounds.map(
      (round, index) => round[pair.ours].rate / (theirs.rounds[index]?.[pair.theirs].rate ?? Number.NaN),
    );
    const complete = ratios.filter((ratio) => !Number.isNaN(ratio));
    return figure(`${ours.title} / ${theirs.title}: rate, ${pair.title}`, median(complete), '', { atLeast });
  });
}

/** @param {PeerResult} ours @param {PeerResult | undefined} byHand */
function compareAlone(ours, byHand) {
  if (byHand === undefined) return [];
  return PAIRS.map((pair) => {
    const over = summarize(ours, pair.ours).aloneP50 - summarize(byHand, pair.theirs).aloneP50;
    const name = `${ours.title} over ${byHand.title}: p50 of one client, ${pair.title}`;
    return figure(name, over, 'ms', { atMost: MAX_OVER_BY_HAND_MS });
  });
}
