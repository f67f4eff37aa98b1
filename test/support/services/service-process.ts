import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';
import { waitFor } from './wait-for.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The same programs start again and again: what was compiled once is kept. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');

/** One of the built services as a process of its own. */
export class ServiceProcess {
  private output = '';
  private stopping: Promise<number | null> | undefined;

  private constructor(
    readonly name: string,
    /** Of its HTTP server, without a slash at the end. */
    readonly url: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  /**
   * Starts a program, by default that of its name, or a file of this build or of another one, with nothing but the given
   * environment and the domains of the tests, and waits until `readyUrl` answers 200.
   * @param program below the root, or a whole path
   */
  static async start(
    name: ProgramName,
    env: Record<string, string>,
    readyUrl: string,
    program?: string,
  ): Promise<ServiceProcess> {
    const service = ServiceProcess.launch(name, env, new URL(readyUrl).origin, program);
    await service.untilReady(readyUrl);
    return service;
  }

  /** As `start`, without waiting for anything: it may end before it is ready. */
  static launch(
    name: ProgramName,
    env: Record<string, string>,
    url: string,
    program = programFile(name),
  ): ServiceProcess {
    const child = spawn(process.execPath, [resolve(ROOT, program)], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        DOMAINS: process.env['DOMAINS'] ?? '',
        ...env,
      },
      stdio: 'pipe',
    });
    return new ServiceProcess(name, url, child);
  }

  /** Throws, and ends it, where it does not answer 200 there in time, or ends by itself. */
  async untilReady(readyUrl: string): Promise<void> {
    try {
      await waitFor(async () => this.hasEnded || (await fetch(readyUrl)).ok, {
        description: `${this.name} to be ready`,
      });
    } catch (cause) {
      await this.kill();
      throw new Error(`${this.name} did not become ready. It wrote:\n${this.output}`, { cause });
    }
    if (this.hasEnded) throw new Error(`${this.name} ended at once. It wrote:\n${this.output}`);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resolves when it has ended, whatever ended it. */
  get exited(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.once('exit', () => {
        resolve();
      });
    });
  }

  /** Everything it wrote so far. */
  get log(): string {
    return this.output;
  }

  /** Asks it once to stop and waits; answers its exit code. */
  stop(): Promise<number | null> {
    this.stopping ??= this.end('SIGTERM');
    // A frozen process would not notice it.
    if (!this.hasEnded) this.thaw();
    return this.stopping;
  }

  /** Ends it by SIGKILL. */
  kill(): Promise<number | null> {
    return this.end('SIGKILL');
  }

  /** Stops its clock, so to speak: it keeps its memory and its connections and does nothing until `thaw`. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  private end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.hasEnded) return Promise.resolve(this.child.exitCode);
    return new Promise((resolve) => {
      this.child.once('exit', (code) => {
        resolve(code);
      });
      this.child.kill(signal);
    });
  }
}
