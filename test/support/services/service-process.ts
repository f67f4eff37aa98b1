import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { programFile, type ProgramName } from '../../../scripts/build/programs.ts';
import { waitFor } from './wait-for.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The compile cache of the services, which start again and again. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');

/** A built service as a process of its own. */
export class ServiceProcess {
  private output = '';
  private stopping: Promise<number | null> | undefined;

  private constructor(
    readonly name: string,
    /** The URL of its HTTP server, without a trailing slash. */
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
   * Starts a program and waits until `readyUrl` answers 200. The program gets the given environment and the projects of the
   * tests only.
   * @param program a file of this build or of another one, below the root or as a whole path; by default that of the name
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

  /** Starts a program without waiting; it may end before it is ready. */
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
        PROJECT: process.env['PROJECT'] ?? '',
        ...env,
      },
      stdio: 'pipe',
    });
    return new ServiceProcess(name, url, child);
  }

  /** Kills the process and throws if `readyUrl` does not answer 200 in time, or the process ends. */
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

  /** Resolves when the process has ended for any reason. */
  get exited(): Promise<void> {
    if (this.hasEnded) return Promise.resolve();
    return new Promise((resolve) => {
      this.child.once('exit', () => {
        resolve();
      });
    });
  }

  /** The output so far. */
  get log(): string {
    return this.output;
  }

  /** Asks the process once to stop; returns its exit code. */
  stop(): Promise<number | null> {
    this.stopping ??= this.end('SIGTERM');
    // A frozen process would not handle the signal.
    if (!this.hasEnded) this.thaw();
    return this.stopping;
  }

  /** Ends the process by SIGKILL. */
  kill(): Promise<number | null> {
    return this.end('SIGKILL');
  }

  /** Suspends the process: it keeps its memory and its connections, and does nothing until `thaw`. */
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
