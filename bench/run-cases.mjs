// @ts-check
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { say, style } from '../scripts/local/terminal.ts';
import { backendsToRun } from './backends.mjs';
import { CASES } from './case-list.mjs';
import { describeMachine } from './measure/machine.mjs';
import { requireQuiet } from './measure/require-quiet.mjs';
import { figuresTable } from './present/figures-table.mjs';
import { markdownTable } from './present/markdown-table.mjs';
import { writeResults } from './present/write-results.mjs';
import { startBenchServices } from './services/bench-services.mjs';
import { openWorld } from './services/bench-world.mjs';

/**
 * Figures of one case on one queue.
 * @typedef {object} CaseResult
 * @property {string} key
 * @property {string} title
 * @property {import('./bench-arguments.mjs').Backend} backend
 * @property {number} seconds
 * @property {import('./measure/figure.mjs').Figure[]} figures
 */

/**
 * Runs the cases one after the other, each with its own database and processes, and prints and writes the results.
 * @param {object} bench
 * @param {string} bench.root
 * @param {import('../scripts/local/run-until-stopped.ts').CommandContext} bench.context
 * @param {import('./bench-arguments.mjs').BenchOptions} bench.options
 * @returns {Promise<number>} the exit code: 1 when a case failed to complete
 */
export async function runCases({ root, context, options }) {
  const startedAt = new Date().toISOString();
  const loadBefore = loadavg();
  requireQuiet(options);
  const services = await startBenchServices({ root, context, options });
  /** @type {CaseResult[]} */
  const results = [];
  let hasFailed = false;
  const backends = backendsToRun(options.backend, services.redisUrl !== null);
  for (const backend of backends) {
    for (const benchCase of casesOf(options.keys, backend === backends[0])) {
      say(`${style.bold(`${benchCase.key} ${benchCase.title}`)} ${style.dim(backend)}`);
      const begun = performance.now();
      const world = await openWorld({ root, services, backend, context });
      try {
        const figures = await benchCase.run(world);
        const seconds = Math.round((performance.now() - begun) / 100) / 10;
        const result = { key: benchCase.key, title: benchCase.title, backend, seconds, figures };
        results.push(result);
        say(`${markdownTable([result])}\n${style.dim(`  ${seconds} s`)}\n`);
      } catch (error) {
        hasFailed = true;
        say(`${style.red('✗')} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      } finally {
        await world.close();
      }
    }
  }
  const machine = await describeMachine({ root, services, loadBefore });
  const out = options.out ?? join(root, '.local', 'bench', 'latest.json');
  writeResults(out, { startedAt, endedAt: new Date().toISOString(), machine, results });
  say(`${showMachine(machine)}\n\n${figuresTable(results)}\n\nFigures as JSON: ${out}`);
  return hasFailed ? 1 : 0;
}

/** @param {readonly string[]} keys @param {boolean} isFirst whether nothing has been measured on another queue */
function casesOf(keys, isFirst) {
  return CASES.filter(({ key, isOfAnyQueue = false }) => keys.includes(key) && (isFirst || !isOfAnyQueue));
}

/** @param {import('./measure/machine.mjs').Machine} machine */
function showMachine({ cores, cpu, node, postgres, redis, commit, loadBefore }) {
  const servers = `PostgreSQL ${postgres}${redis === null ? '' : `, Redis ${redis}`}`;
  const load = loadBefore.map((average) => average.toFixed(1)).join(', ');
  return `Commit ${commit} on ${cores} cores (${cpu}), Node ${node}, ${servers}; load averages before: ${load}.`;
}
