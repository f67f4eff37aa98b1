import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isolating, type StdioIsolation } from './stdio-isolation.js';

export interface StdioProcess {
  readonly command: string;
  readonly args: readonly string[];
  /** All that is in its environment beside `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  /** Of data, for each of its processes; more and the kernel refuses it. */
  readonly memoryBytes: number;
  /** Where programs are looked for. */
  readonly path: string;
  /** Null: it runs as we do. */
  readonly isolation: StdioIsolation | null;
}

/** One message, and what we have to say that the process does not read. */
const MAX_BUFFERED_BYTES = 10 * 1_024 * 1_024;
/** From the end of its input to being asked to stop, and from there to being killed. */
const GRACE_MS = 500;

/**
 * Sets the limits, leaves a guardian behind and becomes the server. The guardian reads a pipe that only we can write to and
 * never do: it ends when we end, however that is, and the guardian takes the whole process group along.
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
 * MCP over the standard input and output of a process, in a process group of its own that is killed as a whole: on close,
 * when the process itself ends, and when we do. What the library brings for it inherits our environment, and leaves behind
 * what the process has started.
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

  /** How a process is started: the whole of it, so that its end can be tried without us. */
  static commandLine({ command, args, env, memoryBytes, path, isolation }: StdioProcess) {
    StdioTransport.started += 1;
    const before =
      isolation === null ? [] : isolating(isolation, process.getuid?.() === 0, StdioTransport.started);
    // Packages that it installs have a place only where that is its own.
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

  /** Ends its input, asks it to stop, kills it: the whole group, whatever the first of them does. */
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

  /** As long as the guardian lives, and it dies by this, the number of the group belongs to nobody else. */
  private kill(signal: NodeJS.Signals): void {
    const pid = this.child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Nobody is left in it.
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
      // Whatever it prints beside its messages; the call that waits for an answer has a time of its own.
      this.onerror?.(new Error('a line that is no message'));
      return;
    }
    this.onmessage?.(message);
  }
}

/** Resolves when nothing more comes of a process, once it has ended; `killRest` ends what it has started. */
function endOf(child: ChildProcess, killRest: () => void): Promise<void> {
  return new Promise((resolve) => {
    child.once('error', () => resolve());
    // What it said last may still be on its way. Somebody who has left the group could hold that way open for ever.
    child.once('close', () => resolve());
    child.once('exit', () => {
      killRest();
      setTimeout(resolve, GRACE_MS).unref();
    });
  });
}
