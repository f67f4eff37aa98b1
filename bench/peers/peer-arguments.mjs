// @ts-check
import { parseArgs } from 'node:util';
import { endWithUsage, readBackend, readKeys } from '../read-arguments.mjs';
import { FOLLOWED, OURS, PEERS } from './peer-list.mjs';

const SYSTEMS = [...OURS, ...PEERS.map(({ key }) => key)];
const USAGE = `npm run bench:peers -- [--only capstan,bullmq] [--backend postgres|redis] [--rounds 3] [--runs 1500] [--packages DIR] [--out FILE] [--even-if-busy]
  --only KEYS     these systems only
  --backend NAME  Capstan on this queue only
  --rounds N      how often each system is measured, in turn; 3 when left out
  --runs N        runs of a hundred clients together, in each round; 1500 when left out
  --packages DIR  install the packages of the others there and keep them; a temporary folder when left out
  --out FILE      where the figures go as JSON; .local/bench/peers.json when left out
  --even-if-busy  measure although the machine is busy
  capstan  Capstan, on each queue
  ${FOLLOWED}  Capstan, where the second of two requests follows the events
${PEERS.map(({ key, title }) => `  ${key}  ${title}`).join('\n')}`;

/**
 * @typedef {object} PeerOptions
 * @property {readonly string[]} keys
 * @property {import('../bench-arguments.mjs').Backend | null} backend null: all there are
 * @property {number} rounds
 * @property {number} runs of all clients together, in each round
 * @property {string | null} packages
 * @property {string | null} out
 * @property {boolean} evenIfBusy
 */

/**
 * @param {string[]} args
 * @returns {PeerOptions} ends the process with the usage when the arguments are wrong or ask for it
 */
export function parsePeerArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        backend: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        runs: { type: 'string', default: '1500' },
        packages: { type: 'string' },
        out: { type: 'string' },
        'even-if-busy': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) endWithUsage(USAGE, null);
    return {
      keys: readKeys(values.only, SYSTEMS, 'system'),
      backend: readBackend(values.backend),
      rounds: readCount('rounds', values.rounds),
      runs: readCount('runs', values.runs),
      packages: values.packages ?? null,
      out: values.out ?? null,
      evenIfBusy: values['even-if-busy'],
    };
  } catch (error) {
    return endWithUsage(USAGE, error);
  }
}

/** @param {string} name @param {string} value */
function readCount(name, value) {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${name}: a number from 1, not "${value}"`);
  return count;
}
