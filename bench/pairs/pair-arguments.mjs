// @ts-check
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { endWithUsage, readBackend } from '../read-arguments.mjs';

const ROOT = join(import.meta.dirname, '..', '..');
const USAGE = `npm run bench:pairs -- --first DIR [--second DIR] [--set NAME=VALUE] [--pairs 5] [--backend redis|postgres] [--runs 600]
  --first DIR       a built checkout; this one when left out
  --second DIR      the checkout that is compared with it; this one when left out
  --set NAME=VALUE  a variable of the second side's services; may be repeated
  --pairs N         how often each side is measured; 5 when left out
  --backend NAME    the queue; redis when left out
  --runs N          runs of a hundred clients together, in each way; 600 when left out`;

/**
 * One side of each pair.
 * @typedef {{root: string, set: string}} Side set: variables of its services, one a line
 */

/** @param {string[]} args */
export function parsePairArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        first: { type: 'string', default: ROOT },
        second: { type: 'string', default: ROOT },
        set: { type: 'string', multiple: true, default: [] },
        pairs: { type: 'string', default: '5' },
        backend: { type: 'string' },
        runs: { type: 'string', default: '600' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) endWithUsage(USAGE, null);
    const wrong = values.set.find((one) => !/^\w+=/.test(one));
    if (wrong !== undefined) throw new Error(`--set: NAME=VALUE, not "${wrong}"`);
    const first = { root: resolve(values.first), set: '' };
    const second = { root: resolve(values.second), set: values.set.join('\n') };
    if (first.root === second.root && second.set === '')
      throw new Error(
        'both sides are the same: give --first or --second another checkout, or --set a variable',
      );
    return {
      first,
      second,
      pairs: readCount('pairs', values.pairs),
      runs: readCount('runs', values.runs),
      backend: readBackend(values.backend) ?? 'redis',
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
