#!/usr/bin/env node
// @ts-check
// Runs from a clean checkout to one result, in one command: npm run quickstart -- [--once] [--input FILE] | --stop
import { parseArgs } from 'node:util';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

const USAGE = `npm run quickstart -- [--once] [--input FILE] | --stop
  --once         end after the run, with exit code 0 when the result arrived and its webhook was verified
  --input FILE   submit this text and not the first one of the example
  --stop         end the quickstarts of this checkout that run in other terminals; data stays`;

const options = parseArguments(process.argv.slice(2));
const { startedAt } = await bootstrap();
const { runUntilStopped } = await import('./local/run-until-stopped.ts');
if (options === 'stop') {
  const { stopQuickstarts } = await import('./quickstart/stop-quickstarts.ts');
  await runUntilStopped(() => stopQuickstarts(ROOT));
} else {
  const { runQuickstart } = await import('./quickstart/run-quickstart.ts');
  const { EXAMPLE_ENVIRONMENT: defaults } = await import('./example/environment.ts');
  const { orderEntry } = await import('./example/order-entry.ts');
  await runUntilStopped((context) =>
    runQuickstart({ root: ROOT, context, startedAt, example: orderEntry, defaults, options }),
  );
}

/**
 * Parsed before packages are installed, so that a mistake in the command costs no minute.
 * @param {string[]} args
 * @returns {import('./quickstart/run-quickstart.ts').QuickstartOptions | 'stop'} ends the process with the usage when the
 *   arguments are wrong or ask for it
 */
function parseArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        once: { type: 'boolean' },
        input: { type: 'string' },
        stop: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.stop === true && (values.once === true || values.input !== undefined)) {
      throw new Error('--stop goes with no other option.');
    }
    if (values.help !== true && values.stop === true) return 'stop';
    if (values.help !== true) return { isOnce: values.once === true, inputFile: values.input ?? null };
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(1);
  }
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
