// @ts-check
// npm run bench:pairs -- --first DIR [--second DIR] [--set NAME=VALUE] [--pairs 5] [--backend redis]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { say, style } from '../../scripts/local/terminal.ts';
import { measureSide } from './measure-side.mjs';
import { parsePairArguments } from './pair-arguments.mjs';
import { pairsTable } from './pairs-table.mjs';

const { first, second, pairs, backend, runs } = parsePairArguments(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'capstan-pairs-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
/** @type {import('./pairs-table.mjs').Pair[]} */
const measured = [];
for (let pair = 1; pair <= pairs; pair += 1) {
  const out = join(folder, 'measured.json');
  const measure = (/** @type {import('./pair-arguments.mjs').Side} */ side) =>
    measureSide({ side, backend, runs, out });
  // Each pair has the other order, so that a machine that slows down hits both sides alike.
  const [one, other] = pair % 2 === 1 ? [first, second] : [second, first];
  const ofOne = await measure(one);
  const ofOther = await measure(other);
  measured.push(pair % 2 === 1 ? { first: ofOne, second: ofOther } : { first: ofOther, second: ofOne });
  say(style.dim(`${pair}/${pairs}, load ${loadavg()[0]?.toFixed(1)}`));
}
say(pairsTable(measured));
