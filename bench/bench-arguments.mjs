// @ts-check
import { parseArgs } from 'node:util';
import { endWithUsage, readBackend, readKeys } from './read-arguments.mjs';
import { CASES } from './case-list.mjs';

const KEYS = CASES.map(({ key }) => key);
const OF_EVERY_RUN = CASES.filter(({ isOnDemand = false }) => !isOnDemand).map(({ key }) => key);
const USAGE = `npm run bench -- [--only a,c] [--backend postgres|redis] [--out FILE] [--profile] [--small] [--even-if-busy]
  --only KEYS     these cases only
  --backend NAME  this queue only; both when left out, Redis only where redis-server is installed
  --out FILE      where the figures go as JSON; .local/bench/latest.json when left out
  --profile       write a CPU profile of each API and worker to .local/bench/profiles
  --small         the long cases at a tenth of their length
  --even-if-busy  measure although the machine is busy
${CASES.map(({ key, title, isOnDemand = false }) => `  ${key}  ${title}${isOnDemand ? ' (only by --only)' : ''}`).join('\n')}`;

/** @typedef {'postgres' | 'redis'} Backend */

/**
 * @typedef {object} BenchOptions
 * @property {readonly string[]} keys the cases to run
 * @property {Backend | null} backend null: all there are
 * @property {string | null} out
 * @property {boolean} isProfiled
 * @property {boolean} isSmall long cases are a tenth of what they are
 * @property {boolean} evenIfBusy measure although the machine does other things
 */

/**
 * @param {string[]} args
 * @returns {BenchOptions} ends the process with the usage when the arguments are wrong or ask for it
 */
export function parseBenchArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        backend: { type: 'string' },
        out: { type: 'string' },
        profile: { type: 'boolean', default: false },
        small: { type: 'boolean', default: false },
        'even-if-busy': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) endWithUsage(USAGE, null);
    const { out = null, profile: isProfiled, small: isSmall, 'even-if-busy': evenIfBusy } = values;
    return {
      keys: values.only === undefined ? OF_EVERY_RUN : readKeys(values.only, KEYS, 'case'),
      backend: readBackend(values.backend),
      out,
      isProfiled,
      isSmall,
      evenIfBusy,
    };
  } catch (error) {
    return endWithUsage(USAGE, error);
  }
}
