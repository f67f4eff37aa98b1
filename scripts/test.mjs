#!/usr/bin/env node
// @ts-check
// Runs the tests from any state of the checkout: npm test -- [arguments of jest]
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

/**
 * What `npm test` runs without arguments: stages one after the other, and the lines of a stage side by side. Crash tests
 * mostly wait: for processes that start, for leases, deadlines and signals. Pure code computes beside them in what they
 * leave of the processors. End-to-end and integration tests have the machine for themselves: they compute, and they wait
 * for connections and time-outs, which come too soon where somebody else is served first. Crash tests run one after the
 * other, all others two at a time.
 *
 * @type {{args: string[], givesWay: boolean}[][]}
 */
const STAGES = [
  [
    { args: ['--selectProjects', 'crash', '--runInBand'], givesWay: false },
    { args: ['--selectProjects', 'architecture', 'unit', '--maxWorkers=2'], givesWay: true },
  ],
  [{ args: ['--selectProjects', 'e2e', '--maxWorkers=2'], givesWay: false }],
  [{ args: ['--selectProjects', 'integration', '--maxWorkers=2'], givesWay: false }],
];
/** By so much: about a tenth of a processor that somebody else wants as well. */
const NICENESS = 10;

/** Jest stops the services of the run when it is interrupted: this process waits for that, and starts no further phase. */
let isInterrupted = false;

await bootstrap();
// End-to-end tests start the built services as processes of their own.
const { provideBuild } = await import('./local/project-build.ts');
const { readTestOutcome } = await import('./testing/test-outcome.ts');
await provideBuild(ROOT);

const args = process.argv.slice(2);
process.exitCode = args.length > 0 ? await runJest(args) : await runStages();

/** Ends with what failed and one line `N passed, N failed`, over all phases; one that broke counts as one failure. */
async function runStages() {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-tests-'));
  /** @type {Ended[]} */
  const all = [];
  for (const [stage, phases] of STAGES.entries()) {
    if (isInterrupted) break;
    const ended = await Promise.all(
      phases.map((phase, line) =>
        runPhase(phase, { report: join(folder, `${stage}-${line}.json`), isBeside: line > 0 }),
      ),
    );
    all.push(...ended);
  }
  await rm(folder, { recursive: true });
  const sum = (/** @type {'passed' | 'failed'} */ name) =>
    all.reduce((some, { [name]: more }) => some + more, 0);
  const failures = all.flatMap((ended) => ended.failures.map((failure) => `FAILED ${failure}\n`));
  process.stdout.write(`\n${failures.join('')}\n${sum('passed')} passed, ${sum('failed')} failed\n`);
  return all.find(({ code }) => code !== 0)?.code ?? 0;
}

/**
 * @typedef {import('./testing/test-outcome.ts').TestOutcome & {code: number}} Ended
 * @param {{args: string[], givesWay: boolean}} phase
 * @param {{report: string, isBeside: boolean}} line the file for its report, and whether another phase has the terminal
 * @returns {Promise<Ended>}
 */
async function runPhase({ args: phase, givesWay }, { report, isBeside }) {
  const code = await runJest([...phase, '--json', `--outputFile=${report}`], { givesWay, isBeside });
  const outcome = await readTestOutcome(report, ROOT);
  return { ...outcome, code, failed: code === 0 ? outcome.failed : Math.max(outcome.failed, 1) };
}

/**
 * @param {readonly string[]} jestArgs
 * @param {{givesWay: boolean, isBeside: boolean}} [manners] whether it gives way to what else runs, and whether it runs
 *   beside another one that has the terminal
 * @returns {Promise<number>} the exit code
 */
function runJest(jestArgs, { givesWay, isBeside } = { givesWay: false, isBeside: false }) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', jest, ...jestArgs];
  const [program = '', ...args] = givesWay ? ['nice', '-n', String(NICENESS), ...command] : command;
  // Of two that share a terminal only one redraws what it has written.
  const env = isBeside ? { ...process.env, TERM: 'dumb' } : process.env;
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      isInterrupted = true;
      child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
