import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isolating, type StdioIsolation } from './stdio-isolation.js';

export interface StdioProcess {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment, except `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /** Maximum bytes of data memory per process, enforced by the kernel. */
  readonly memoryBytes: number;
  /** Search path for programs. */
  readonly path: string;
  /** Null runs it as the worker's user. */
  readonly isolation: StdioIsolation | null;
}

/** Maximum bytes of one incoming message, and of output that the process has not read. */
const MAX_BUFFERED_BYTES = 10 * 1_024 * 1_024;
/** Milliseconds from closing its input to SIGTERM, and from there to SIGKILL. */
const GRACE_MS = 500;

/**
 * Shell script that sets limits, starts a guardian and becomes the server. The guardian reads a pipe that the worker
 * holds open and never writes to: when the worker ends, even by SIGKILL, it kills the whole process group.
 */
const START = `
ulimit -c 0 2>/dev/null
ulimit -d "$1" 2>/dev/null
shift
{ trap '' TERM; read -r _ <&3; kill -9 0; } </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

/**
 * MCP over standard input and output of a process. Its process group is killed as a whole on close, when the process
 * ends, and when the worker ends. The library's own transport inherits the worker's environment and leaves child
 * processes behind.
 */
export class StdioTransport implements Transport {
  private static started = 0;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private child: ChildProcess | null = null;
  private ended: Promise<void> = Promise.resolve();
  private readonly chunks: Buffer[] = [];
  private bufferedBytes = 0;

  constructor(private readonly process: StdioProcess) {}

  /** Complete command line, exposed so that tests can start it from another process. */
  static commandLine({ command, args, env, memoryBytes, path, isolation }: StdioProcess) {
    StdioTransport.started += 1;
    const before =
      isolation === null ? [] : isolating(isolation, process.getuid?.() === 0, StdioTransport.started);
    // Only an isolated process has a private `/tmp` to install packages into.
    const home = isolation === 'namespace' ? { HOME: '/tmp' } : {};
    const kilobytes = String(Math.ceil(memoryBytes / 1_024));
    const options = {
      cwd: '/',
      detached: true,
      env: { ...home, ...env, PATH: path },
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    } satisfies SpawnOptions;
    return { file: '/bin/sh', args: ['-c', START, 'mcp', kilobytes, ...before, command, ...args], options };
  }

  start(): Promise<void> {
    const { file, args, options } = StdioTransport.commandLine(this.process);
    const child = spawn(file, args, options);
    this.child = child;
    const ignored = (): undefined => undefined;
    for (const stream of child.stdio) stream?.on('error', ignored);
    child.stdout?.on('data', (chunk: Buffer) => this.read(chunk));
    this.ended = endOf(child, () => this.kill('SIGKILL')).then(() => {
      this.chunks.length = 0;
      for (const stream of child.stdio) stream?.destroy();
      this.onclose?.();
    });
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.child?.stdin;
    if (stdin?.writable !== true) return Promise.reject(new Error('the process has ended'));
    if (stdin.writableLength > MAX_BUFFERED_BYTES) this.kill('SIGKILL');
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Closes its input, then sends SIGTERM, then SIGKILL to the whole group. */
  async close(): Promise<void> {
    this.child?.stdin?.end();
    if (!(await this.endsWithin(GRACE_MS))) {
      this.kill('SIGTERM');
      if (!(await this.endsWithin(GRACE_MS))) this.kill('SIGKILL');
    }
    await this.ended;
  }

  private async endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    const isEnded = await Promise.race([this.ended.then(() => true), late]);
    clearTimeout(timer);
    return isEnded;
  }

  /** The group id cannot be reused before: the guardian belongs to the group and dies only by this signal. */
  private kill(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // The group has already ended.
    }
  }

  private read(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.chunks.splice(0), rest.subarray(0, end)]).toString('utf8');
      this.bufferedBytes = 0;
      rest = rest.subarray(end + 1);
      this.take(line);
    }
    this.bufferedBytes += rest.byteLength;
    if (this.bufferedBytes > MAX_BUFFERED_BYTES) this.kill('SIGKILL');
    else if (rest.byteLength > 0) this.chunks.push(rest);
  }

  private take(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      // Ignores output that is no message; the waiting call has its own timeout.
      this.onerror?.(new Error('a line that is no message'));
      return;
    }
    this.onmessage?.(message);
  }
}

/** Resolves when the process has ended and its output is read; `killRest` kills its remaining children. */
function endOf(child: ChildProcess, killRest: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    // Its last output may still be unread. A child outside the group could hold the pipe open forever, hence the time
    // limit.
    child.once('close', () => resolve());
    child.once('exit', () => {
      killRest();
      setTimeout(resolve, GRACE_MS).unref();
    });
  });
}
