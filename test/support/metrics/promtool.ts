import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describeWithProgram } from '../services/describe-with-program.js';

/** Describes a suite that needs `promtool`, which is part of Prometheus and validates as it does. */
export function describeWithPromtool(name: string, suite: () => void): void {
  const program = { name: 'promtool (Debian: apt-get install prometheus)', isInstalled: isInstalled() };
  describeWithProgram(program, name, suite);
}

function isInstalled(): boolean {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Runs promtool to its end; returns its output. Throws with the output if it finds a fault. */
export async function promtool(args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)('promtool', [...args]);
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`promtool ${args.join(' ')}:\n${stdout}${stderr}`, { cause: error });
  }
}
