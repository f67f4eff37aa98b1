import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DocumentParser,
  ReaderLostError,
  UnreadableDocumentError,
  type DocumentHints,
  type ParsedBlock,
  type ParsedDocument,
} from '#libs/knowledge';
import type { ParseLine, ParseOrder } from './child/parse-protocol.js';

export interface ParserOptions {
  /** For one document, from its first byte to its last block. */
  readonly timeoutMs: number;
  readonly mostRssBytes: number;
  readonly mostChars: number;
  /** The file of the program; that of this library by default. */
  readonly program?: string;
  /** What runs it; the Node that runs this by default. */
  readonly command?: string;
}

/**
 * Reads each document in a process of its own, which has nothing of this one: no variables, no files, no connections. It is
 * ended with its whole group when it takes too long, when it takes too much memory, and when nobody waits for it.
 */
export class ChildProcessParser extends DocumentParser {
  constructor(private readonly options: ParserOptions) {
    super();
  }

  override async parse(
    bytes: AsyncIterable<Uint8Array>,
    hints: DocumentHints,
    signal: AbortSignal,
  ): Promise<ParsedDocument> {
    const reading = new ReadingProcess(this.options, bytes, hints, signal);
    try {
      const first = await reading.next();
      if (first === null || !('kind' in first)) throw new UnreadableDocumentError('too_complex');
      return { kind: first.kind, blocks: blocksOf(reading) };
    } catch (error) {
      reading.end();
      throw error;
    }
  }
}

async function* blocksOf(reading: ReadingProcess): AsyncGenerator<readonly ParsedBlock[]> {
  try {
    for (;;) {
      const line = await reading.next();
      // It was ended, by its limits or by ours.
      if (line === null) throw new UnreadableDocumentError('too_complex');
      if ('end' in line) return;
      if ('blocks' in line) yield line.blocks;
    }
  } finally {
    reading.end();
  }
}

/** One process that reads one document. */
class ReadingProcess {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly timer: NodeJS.Timeout;
  private readonly stop = (): void => this.kill();
  /** What the source of the bytes has thrown: then the document is not at fault. */
  private sourceError: { readonly error: unknown } | null = null;
  private isTimeUp = false;
  /** The signal that has ended it, null for none; `unstarted` where the system had no room for it. */
  private readonly ending: Promise<NodeJS.Signals | 'unstarted' | null>;

  constructor(
    { timeoutMs, mostRssBytes, mostChars, program = PROGRAM, command = process.execPath }: ParserOptions,
    bytes: AsyncIterable<Uint8Array>,
    hints: DocumentHints,
    private readonly signal: AbortSignal,
  ) {
    const order: ParseOrder = { hints, mostChars, mostRssBytes, parentPid: process.pid };
    const heapMb = Math.floor(mostRssBytes / 2 ** 20);
    const flags = [`--max-old-space-size=${heapMb}`, '--disable-warning=ExperimentalWarning'];
    this.child = spawn(command, [...flags, program, JSON.stringify(order)], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {},
      detached: true,
    });
    this.ending = new Promise((resolve) => {
      this.child.once('error', () => resolve('unstarted'));
      this.child.once('exit', (_code, signal) => resolve(signal));
    });
    const { stdin, stdout } = this.child;
    if (stdin === null || stdout === null) throw new Error('a process without pipes');
    pipeline(Readable.from(this.watched(bytes), { objectMode: false }), stdin).catch(() => undefined);
    this.lines = createInterface({ input: stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    this.timer = setTimeout(() => {
      this.isTimeUp = true;
      this.kill();
    }, timeoutMs);
    signal.addEventListener('abort', this.stop, { once: true });
    if (signal.aborted) this.kill();
  }

  /** Null where it has ended without a last line. Throws what it found wrong with the document. */
  async next(): Promise<ParseLine | null> {
    const line = await this.lines.next();
    this.signal.throwIfAborted();
    if (this.sourceError !== null) throw this.sourceError.error;
    if (line.done === true) {
      if (this.isTimeUp) throw new UnreadableDocumentError('too_slow');
      if (FROM_OUTSIDE.has(await this.ending)) throw new ReaderLostError();
      return null;
    }
    const said = JSON.parse(line.value) as ParseLine;
    if ('fault' in said) throw new UnreadableDocumentError(said.fault);
    return said;
  }

  end(): void {
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.stop);
    this.kill();
  }

  private async *watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes;
    } catch (error) {
      this.sourceError = { error };
      this.kill();
      throw error;
    }
  }

  private kill(): void {
    const { pid } = this.child;
    if (pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
    }
  }
}

/** How somebody else ends a process: a person, a service manager, a system that is short of memory. */
const FROM_OUTSIDE: ReadonlySet<NodeJS.Signals | 'unstarted' | null> = new Set([
  'unstarted',
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
]);

const PROGRAM = fileURLToPath(new URL('./parse-program.js', import.meta.url));
