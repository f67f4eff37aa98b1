import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { FileReport, TestMessage } from './messages.ts';
import type { Phase } from './phase.ts';

/** Maximum kept output of Jest and tests, in characters. */
const MAX_OUTPUT = 8_000;
const REPORTER = join(import.meta.dirname, 'progress-reporter.ts');

export interface EndedPhase {
  /** Exit code of Jest; 1 after a signal. */
  readonly code: number;
  /** The end of the output of Jest and tests, beside the reports. */
  readonly output: string;
}

export interface PhaseListener {
  started(message: Extract<TestMessage, { type: 'started' }>): void;
  ended(report: FileReport): void;
}

/**
 * Runs Jest in its own process group, so that Ctrl-C reaches only the command, which then signals `children`.
 * @param children holds the process while it runs
 */
export function runPhase(
  root: string,
  phase: Phase,
  children: Set<ChildProcess>,
  listener: PhaseListener,
): Promise<EndedPhase> {
  const [program, args] = jestCommand(root, [...phase.args, `--reporters=${REPORTER}`]);
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: '0', ...phase.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  child.on('message', (message: TestMessage) => {
    if (message.type === 'started') listener.started(message);
    else listener.ended(message.report);
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Program and arguments that run Jest with this Node. */
export function jestCommand(root: string, args: readonly string[]): [program: string, args: string[]] {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  return [process.execPath, ['--disable-warning=ExperimentalWarning', jest, ...args]];
}
