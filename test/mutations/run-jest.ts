import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { JestReport } from '../../scripts/testing/jest-report.ts';

/** Maximum run time in milliseconds per spec: a mutant may loop endlessly, which Jest itself cannot interrupt. */
const LIMIT = 300_000;

/** Projects that contain the specs of mutants: Jest would scan the folder once more for each other project. */
const PROJECTS = ['--selectProjects', 'unit', 'integration'];

/** Counts runs, to name a run's template databases: a mutant may change the migrations or the seed. */
let runs = 0;
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Runs the specs in the folder; returns a text if Jest left no report. A run ended by SIGTERM is repeated once. */
export async function runJest(folder: string, specs: readonly string[]): Promise<JestReport | string> {
  const first = await runOnce(folder, specs);
  return first.signal === 'SIGTERM' ? (await runOnce(folder, specs)).answer : first.answer;
}

interface Run {
  readonly answer: JestReport | string;
  /** Signal that ended the process; null if the process exited by itself. */
  readonly signal: NodeJS.Signals | null;
}

async function runOnce(folder: string, specs: readonly string[]): Promise<Run> {
  const output = join(folder, 'jest-report.json');
  rmSync(output, { force: true });
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(folder, 'node_modules', 'jest', 'bin', 'jest.js'),
      ...['--ci', '--maxWorkers=2', ...PROJECTS, '--json', `--outputFile=${output}`],
      ...['--runTestsByPath', ...specs],
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', TEMPLATES_OF: `_${(runs += 1)}` },
    },
  );
  running.add(child);
  const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT * specs.length);
  const [said] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  clearTimeout(limit);
  running.delete(child);
  const signal = child.signalCode;
  try {
    return { answer: JSON.parse(readFileSync(output, 'utf8')) as JestReport, signal };
  } catch {
    return { answer: `Jest left no report (${child.exitCode ?? signal}): ${said.slice(-2_000)}`, signal };
  }
}
