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

/** The time is for all bytes of one document to come, and again from its last byte to its last block. */
export interface ParserOptions extends ProcessLimits {
  readonly mostChars: number;
  /** The file of the program; that of this library by default. */
  readonly program?: string;
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
      // It was ended, by its limits or by ours.
      if (line === null) throw new UnreadableDocumentError('too_complex');
      if ('end' in line) {
        warnings.push(...line.warnings);
        return;
      }
      if (!('blocks' in line)) continue;
      for (const portion of portionsOf(line.blocks)) {
        yield portion;
        // Lines that have come already are read without a turn of the event loop between them.
        await setImmediate();
      }
    }
  } finally {
    reading.end();
  }
}

/** One process that reads one document. */
class ReadingProcess {
  private readonly process: BoundedProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly stop = (): void => this.process.end();
  /** What the source of the bytes has thrown: then the document is not at fault. */
  private sourceError: { readonly error: unknown } | null = null;
  /** Whether its reader has taken all that has come, and waits for more. */
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

  /** Null where it has ended without a last line. Throws what it found wrong with the document. */
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
