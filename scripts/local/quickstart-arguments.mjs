import { parseArgs } from 'node:util';

const USAGE = `npm run quickstart -- [--once] [--order FILE]
  --once         end after the run, with exit code 0 when the order arrived and its webhook was verified
  --order FILE   submit this text and not the first of examples/orders`;

/** @typedef {{isOnce: boolean, orderFile: string | null}} QuickstartOptions */

/**
 * @param {string[]} args
 * @returns {QuickstartOptions} ends the process with the usage when the arguments are wrong or ask for it
 */
export function parseQuickstartArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean' },
        order: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help !== true) return { isOnce: values.once === true, orderFile: values.order ?? null };
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(1);
  }
}
