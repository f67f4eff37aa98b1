import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from './wait-for.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const LEFT_OUT = new Set(['.git', '.local', '.env', 'node_modules', 'coverage']);

/** The addresses that a running command of a checkout writes to a file. */
export interface EnvironmentAddresses {
  readonly api: string;
  /** Null with AUTH=off. */
  readonly apiKey: string | null;
  readonly simulator: string;
  readonly database: string;
  /** Written last: once it is there, all services are up. */
  readonly receiver?: string;
}

/** A copy of the whole checkout with its build in a temporary folder, where commands may write. */
export class CheckoutCopy {
  private readonly started: RunningCommand[] = [];

  private constructor(readonly root: string) {}

  static async make(): Promise<CheckoutCopy> {
    const root = await mkdtemp(join(tmpdir(), 'capstan-checkout-'));
    // Keeps the file times, so that the build stays up to date.
    const filter = (source: string): boolean => !LEFT_OUT.has(source.slice(ROOT.length + 1));
    await cp(ROOT, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    return new CheckoutCopy(root);
  }

  /** Starts a command in bash, with PATH and HOME as all that it inherits. */
  run(command: string, env: Readonly<Record<string, string>> = {}): RunningCommand {
    const running = new RunningCommand(command, this.root, env);
    this.started.push(running);
    return running;
  }

  /** The addresses of the environment once it is up; throws with the output of `command` if that ends first. */
  async environment(number: number, command: RunningCommand): Promise<EnvironmentAddresses> {
    const file = join(this.root, '.local', 'environments', String(number), 'addresses.json');
    return waitFor(
      async () => {
        if (command.hasEnded) return 'ended' as const;
        const addresses = JSON.parse(await readFile(file, 'utf8')) as EnvironmentAddresses;
        return addresses.receiver === undefined ? null : addresses;
      },
      { description: `environment ${number} to be up`, timeoutMs: 240_000, intervalMs: 100 },
    ).then((answer) => {
      if (answer === 'ended') throw new Error(`${command.text} has ended. It wrote:\n${command.output}`);
      return answer;
    });
  }

  /** Resolves when a command has reserved the environment of this number. */
  async taken(number: number): Promise<void> {
    const file = join(this.root, '.local', 'environments', String(number), 'owner.json');
    const options = { description: `environment ${number} to be taken`, timeoutMs: 120_000 };
    await waitFor(() => readFile(file, 'utf8'), options);
  }

  /** Stops the commands and removes the folder. */
  async remove(): Promise<void> {
    await Promise.all(this.started.map((command) => command.stop()));
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A command in a shell of its own. */
export class RunningCommand {
  private written = '';
  private readonly child: ChildProcess;
  readonly exitCode: Promise<number>;

  constructor(
    readonly text: string,
    cwd: string,
    env: Readonly<Record<string, string>>,
  ) {
    const surroundings = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? tmpdir(),
      NO_COLOR: '1',
    };
    // A process group of its own, because npm and its shells forward no signals.
    this.child = spawn('bash', ['-c', text], { cwd, env: { ...surroundings, ...env }, detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (words: string) => {
        this.written += words;
      });
    }
    this.exitCode = new Promise((resolve) => {
      this.child.once('close', (code) => resolve(code ?? 1));
    });
  }

  get output(): string {
    return this.written;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Interrupts the command as Ctrl-C does; returns its exit code. */
  async stop(): Promise<number> {
    if (!this.hasEnded && this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGINT');
    return this.exitCode;
  }
}
