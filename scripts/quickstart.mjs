#!/usr/bin/env node
// From nothing to one order, in one command: npm run quickstart -- [--once] [--order FILE]
import { bootstrap, ROOT } from './local/bootstrap.mjs';
import { parseQuickstartArguments } from './local/quickstart-arguments.mjs';

const options = parseQuickstartArguments(process.argv.slice(2));
const { startedAt } = await bootstrap();
const { runUntilStopped } = await import('./local/run-until-stopped.mjs');
const { runQuickstart } = await import('./local/run-quickstart.mjs');
await runUntilStopped((context) => runQuickstart({ root: ROOT, context, startedAt, options }));
