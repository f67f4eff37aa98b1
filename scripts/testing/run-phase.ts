import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { FileReport, TestMessage } from './messages.ts';
import type { Phase } from './phase.ts';

/** With this niceness a process gets about a tenth of a processor that others want as well. */
const NICENESS = 10;
const REPORTER = join(import.meta.dirname, 'progress-reporter.ts');

export interface PhaseListener {
  started(message: Extract<TestMessage, { type: 'started' }>): void;
  ended(report: FileReport): void;
  /** Output of Jest and of tests. */
  said(text: string): void;
}

/**
 * Runs Jest in a process group of its own, so that Ctrl-C reaches the command alone, which then signals `children`.
 * @param children holds the process while it runs
 * @returns the exit code of Jest, 1 where a signal ended it
 */
export function runPhase(
  root: string,
  phase: Phase,
  children: Set<ChildProcess>,
  listener: PhaseListener,
): Promise<number> {
  const [program, args] = jestCommand(root, [...phase.args, `--reporters=${REPORTER}`]);
  const nice = phase.givesWay === true ? ['nice', '-n', String(NICENESS)] : [];
  const [first = program, ...rest] = [...nice, program, ...args];
  const child = spawn(first, rest, {
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
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      listener.said(text);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Program and arguments that run Jest with the Node of this process. */
export function jestCommand(root: string, args: readonly string[]): [program: string, args: string[]] {
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  return [process.execPath, ['--disable-warning=ExperimentalWarning', jest, ...args]];
}
