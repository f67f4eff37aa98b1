#!/usr/bin/env node
// @ts-check
// Runs the tests from any state of the checkout: npm test -- [arguments of jest]
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap, ROOT } from './bootstrap/bootstrap.mjs';

/**
 * What `npm test` runs without arguments. End-to-end tests mostly wait, so two of them share the machine. Crash tests
 * load it and wait for real leases, deadlines and signals: they run one after the other, so that none starves the other
 * of its time.
 */
const PHASES = [
  ['--selectProjects', 'architecture', 'unit', 'integration', '--maxWorkers=2'],
  ['--selectProjects', 'e2e', '--maxWorkers=2'],
  ['--selectProjects', 'crash', '--runInBand'],
];

await bootstrap();
// End-to-end tests start the built services as processes of their own.
const { provideBuild } = await import('./local/project-build.ts');
await provideBuild(ROOT);

const args = process.argv.slice(2);
process.exitCode = args.length > 0 ? await runJest(args) : await runPhases();

/** Ends with one line `N passed, N failed` over all phases; a phase that broke counts as one failure. */
async function runPhases() {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-tests-'));
  let [passed, failed, exitCode] = [0, 0, 0];
  for (const [index, phase] of PHASES.entries()) {
    const report = join(folder, `${index}.json`);
    const code = await runJest([...phase, '--json', `--outputFile=${report}`]);
    const counts = await readCounts(report);
    passed += counts.passed;
    failed += code === 0 ? counts.failed : Math.max(counts.failed, 1);
    exitCode ||= code;
  }
  await rm(folder, { recursive: true });
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return exitCode;
}

/**
 * @param {string} report that jest wrote
 * @returns {Promise<{passed: number, failed: number}>}
 */
async function readCounts(report) {
  try {
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
      await readFile(report, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
  } catch {
    // Jest died before it could report.
    return { passed: 0, failed: 1 };
  }
}

/**
 * @param {readonly string[]} jestArgs
 * @returns {Promise<number>} the exit code
 */
function runJest(jestArgs) {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  // Modules that Jest has loaded for one test file stay in memory to the end of its process: gigabytes for all of them.
  const flags = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    '--max-old-space-size=12288',
  ];
  const child = spawn(process.execPath, [...flags, jest, ...jestArgs], { cwd: ROOT, stdio: 'inherit' });
  // Jest stops the services of the run when it is interrupted: this process waits for that, and starts no further phase.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (signal !== null) process.exit(1);
      resolve(code ?? 1);
    });
  });
}
