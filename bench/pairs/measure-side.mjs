// @ts-check
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

/**
 * Measures one side by the bench of its own checkout.
 * @param {object} measurement
 * @param {import('./pair-arguments.mjs').Side} measurement.side
 * @param {import('../bench-arguments.mjs').Backend} measurement.backend
 * @param {number} measurement.runs
 * @param {string} measurement.out file of the results, which is overwritten
 * @returns {Promise<import('../measure/measure-runs.mjs').Measured>}
 */
export async function measureSide({ side: { root, set }, backend, runs, out }) {
  const bench = join(root, 'bench', 'peers', 'run.mjs');
  const options = ['--only', 'capstan', '--backend', backend, '--rounds', '1', '--runs', String(runs)];
  // The Node of the side's own packages where it has one.
  await execa('node', [bench, ...options, '--even-if-busy', '--out', out], {
    cwd: root,
    preferLocal: true,
    localDir: root,
    env: { BENCH_SET: set },
    stderr: 'inherit',
  });
  const { results } = JSON.parse(readFileSync(out, 'utf8'));
  const { rounds, notMeasured } = results[0];
  if (rounds.length === 0) throw new Error(`${root} was not measured: ${notMeasured}`);
  return rounds[0];
}
