import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { BoundedProcess, type ProcessLimits } from '#libs/bounded-process';
import {
  BlobStoreUnavailableError,
  DocumentParser,
  ReaderLostError,
  UnreadableDocumentError,
  type DocumentHints,
  type DocumentWarning,
  type ParsedBlock,
  type ParsedDocument,
} from '#libs/knowledge';
import { portionsOf } from './portions.js';
import type { ParseLine, ParseOrder } from './child/parse-protocol.js';

/** The time limit applies twice: until all bytes have arrived, and from the last byte to the last block. */
export interface ParserOptions extends ProcessLimits {
  readonly mostChars: number;
  /** Path of the program; default: the one of this library. */
  readonly program?: string;
}

/**
 * Parses each document in a separate process without access to this one's environment variables, files and connections.
 * The process group is killed when it exceeds the time or memory limit, or when the result is no longer needed.
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
      const warnings: DocumentWarning[] = [];
      return { kind: first.kind, blocks: blocksOf(reading, warnings), warnings };
    } catch (error) {
      reading.end();
      throw error;
    }
  }
}

async function* blocksOf(
  reading: ReadingProcess,
  warnings: DocumentWarning[],
): AsyncGenerator<readonly ParsedBlock[]> {
  try {
    for (;;) {
      const line = await reading.next();
      // The process was killed, by the kernel's limits or ours.
      if (line === null) throw new UnreadableDocumentError('too_complex');
      if ('end' in line) {
        warnings.push(...line.warnings);
        return;
      }
      if (!('blocks' in line)) continue;
      for (const portion of portionsOf(line.blocks)) {
        yield portion;
        // Yields to the event loop, because buffered lines are otherwise read without a break.
        await setImmediate();
      }
    }
  } finally {
    reading.end();
  }
}

class ReadingProcess {
  private readonly process: BoundedProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly stop = (): void => this.process.end();
  /** Error of the byte source; the document is then not at fault. */
  private sourceError: { readonly error: unknown } | null = null;
  /** True while the process waits for further bytes. */
  private isSourceAwaited = true;

  constructor(
    { mostChars, program = PROGRAM, ...limits }: ParserOptions,
    bytes: AsyncIterable<Uint8Array>,
    hints: DocumentHints,
    private readonly signal: AbortSignal,
  ) {
    const order: ParseOrder = { hints, mostChars };
    this.process = new BoundedProcess(program, order, limits);
    const { stdin, stdout } = this.process;
    pipeline(Readable.from(this.watched(bytes), { objectMode: false }), stdin).catch(() => undefined);
    this.lines = createInterface({ input: stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    signal.addEventListener('abort', this.stop, { once: true });
    if (signal.aborted) this.process.end();
  }

  /** Null if the process ended without a final line. Throws a fault of the document that the process reported. */
  async next(): Promise<ParseLine | null> {
    const line = await this.lines.next();
    this.signal.throwIfAborted();
    if (this.sourceError !== null) throw this.sourceError.error;
    if (line.done === true) {
      if (this.process.isTimeUp && this.isSourceAwaited) throw new BlobStoreUnavailableError(TOO_LATE);
      if (this.process.isTimeUp) throw new UnreadableDocumentError('too_slow');
      if (await this.process.isLost) throw new ReaderLostError();
      return null;
    }
    const said = JSON.parse(line.value) as ParseLine;
    if ('fault' in said) throw new UnreadableDocumentError(said.fault);
    return said;
  }

  end(): void {
    this.signal.removeEventListener('abort', this.stop);
    this.process.end();
  }

  private async *watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const part of bytes) {
        this.isSourceAwaited = false;
        yield part;
        this.isSourceAwaited = true;
      }
      this.isSourceAwaited = false;
      this.process.restartClock();
    } catch (error) {
      this.sourceError = { error };
      this.process.end();
      throw error;
    }
  }
}

const TOO_LATE = new Error('the bytes of the document did not come in time');
const PROGRAM = fileURLToPath(new URL('./parse-program.js', import.meta.url));
