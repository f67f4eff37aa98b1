import { parseArgs } from 'node:util';
import { CASES } from './case-list.mjs';

const USAGE = `npm run bench -- [--only a,c] [--backend postgres|redis] [--out FILE] [--profile]
  --only KEYS     these cases only
  --backend NAME  this queue only; both when left out, Redis only where redis-server is installed
  --out FILE      where the figures go as JSON; .local/bench/latest.json when left out
  --profile       write a CPU profile of each API and worker to .local/bench/profiles
${CASES.map(({ key, title }) => `  ${key}  ${title}`).join('\n')}`;

/** @typedef {'postgres' | 'redis'} Backend */

/**
 * @typedef {object} BenchOptions
 * @property {readonly string[]} keys the cases to run
 * @property {Backend | null} backend null: all there are
 * @property {string | null} out
 * @property {boolean} isProfiled
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
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) end(USAGE, 0);
    const { backend = null, out = null, profile: isProfiled } = values;
    if (backend !== null && backend !== 'postgres' && backend !== 'redis')
      throw new Error(`--backend: postgres or redis, not "${backend}"`);
    return { keys: readKeys(values.only), backend, out, isProfiled };
  } catch (error) {
    return end(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`, 1);
  }
}

/** @param {string | undefined} only */
function readKeys(only) {
  const known = CASES.map(({ key }) => key);
  if (only === undefined) return known;
  const keys = only.split(',').map((key) => key.trim());
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new Error(`--only: there is no case "${unknown}"`);
  return keys;
}

/** @param {string} text @param {number} code @returns {never} */
function end(text, code) {
  process.stdout.write(`${text}\n`);
  process.exit(code);
}
