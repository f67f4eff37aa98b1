// @ts-check
// npm run bench -- [--only a,c] [--backend postgres|redis] [--out FILE] [--profile]
import { join } from 'node:path';
import { runUntilStopped, untilStopped } from '../scripts/local/run-until-stopped.ts';
import { parseBenchArguments } from './bench-arguments.mjs';
import { runCases } from './run-cases.mjs';

const ROOT = join(import.meta.dirname, '..');

const options = parseBenchArguments(process.argv.slice(2));
await runUntilStopped(async (context) => {
  // Work in progress fails on its own when the command stops, since all services end.
  const stopped = untilStopped(context.signal).then(() => 1);
  return Promise.race([stopped, runCases({ root: ROOT, context, options })]);
});
