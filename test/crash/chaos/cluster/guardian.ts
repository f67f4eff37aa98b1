import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** A resource that must not be left behind, however the run ends. */
export type Guarded =
  | { readonly pid: number }
  /** The data directory of a PostgreSQL server; the server's process id changes with each restart. */
  | { readonly dataDirectory: string }
  | { readonly mountPoint: string }
  | { readonly folder: string };

/**
 * Cleans up in a separate process, in a session of its own, so that neither Ctrl-C nor `kill -9` of the runner leaves
 * anything of a run behind.
 */
export class Guardian {
  private constructor(private readonly child: ChildProcess) {}

  static start(): Guardian {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'guardian-process.mjs')], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin.on('error', () => undefined);
    return new Guardian(child);
  }

  guard(what: Guarded): void {
    this.child.stdin?.write(`${JSON.stringify(what)}\n`);
  }

  /** Ends the guarded processes, removes the guarded folders, and waits until the guardian has ended. */
  async finish(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.stdin?.end();
    await ended;
  }
}
