// @ts-check
// npm run bench:peers -- [--only capstan,bullmq] [--backend postgres|redis] [--rounds 3]
import { join } from 'node:path';
import { runUntilStopped, untilStopped } from '../../scripts/local/run-until-stopped.ts';
import { comparePeers } from './compare-peers.mjs';
import { parsePeerArguments } from './peer-arguments.mjs';

const ROOT = join(import.meta.dirname, '..', '..');

const options = parsePeerArguments(process.argv.slice(2));
await runUntilStopped(async (context) => {
  // Work in progress fails on its own when the command stops, since all services end.
  const stopped = untilStopped(context.signal).then(() => 1);
  return Promise.race([stopped, comparePeers({ root: ROOT, context, options })]);
});
