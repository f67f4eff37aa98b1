import type { CountTokens } from '../ports/token-counter.js';
import type { Chunk, ChunkLimits } from './chunk.js';
import { HeadingPath } from './heading-path.js';
import type { ParsedBlock } from './parsed-block.js';
import { rowText } from './row-text.js';
import { splitText } from './split-text.js';

/** A fragment of text within the chunk being built. */
interface Piece {
  readonly text: string;
  /** Whitespace between the previous piece and this one. */
  readonly glue: string;
  /** Token count of `glue` and `text` together. */
  readonly tokens: number;
  readonly page: number | null;
}

/**
 * Splits a stream of blocks into chunks. A chunk lies under one heading path, has at most the allowed number of tokens,
 * and begins with the end of the previous chunk if both lie under the same headings. No word is lost. Deterministic for
 * equal blocks, limits and tokenizer.
 */
export class Chunker {
  private readonly headings = new HeadingPath();
  private pieces: Piece[] = [];
  /** Tokens of all pieces together. */
  private tokens = 0;
  /** Number of pieces repeated from the previous chunk. */
  private repeated = 0;
  private ordinal = 0;

  constructor(
    private readonly limits: ChunkLimits,
    private readonly count: CountTokens,
  ) {}

  /** Yields completed chunks lazily, because a block may be a whole document. */
  *add(block: ParsedBlock): Generator<Chunk> {
    const page = block.page ?? null;
    switch (block.kind) {
      case 'heading':
        yield* this.leave(block.level);
        this.headings.enter(block.level, block.text);
        return;
      case 'text':
        yield* this.addText(block.text, '\n\n', page);
        return;
      case 'row':
        yield* this.addText(rowText(block.cells), '\n', page);
    }
  }

  /** Returns the remaining chunks. */
  end(): readonly Chunk[] {
    return this.leave(0);
  }

  private leave(level: number): readonly Chunk[] {
    const chunks = [...this.close()];
    this.headings.leave(level, (text) => {
      chunks.push(...this.addText(text, '\n\n', null), ...this.close());
    });
    return chunks;
  }

  private *addText(text: string, glue: string, page: number | null): Generator<Chunk> {
    const { tokens, overlapTokens } = this.limits;
    const most = overlapTokens > 0 ? overlapTokens : tokens;
    let between = glue;
    for (const part of splitText(text.trim(), most, this.count)) {
      if (part.trim() === '') {
        between = part.includes('\n') ? '\n' : ' ';
        continue;
      }
      yield* this.addPiece({ text: part, glue: between, page, tokens: this.count(between + part) });
      between = '';
    }
  }

  private addPiece(piece: Piece): readonly Chunk[] {
    const isRoom = this.tokens + piece.tokens <= this.limits.tokens;
    const full = isRoom || this.pieces.length === this.repeated ? [] : this.fill();
    // Overlap is dropped in favour of new text.
    while (this.repeated > 0 && this.tokens + piece.tokens > this.limits.tokens) this.drop();
    this.pieces.push(piece);
    this.tokens += piece.tokens;
    return full;
  }

  private drop(): void {
    this.tokens -= this.pieces.shift()?.tokens ?? 0;
    this.repeated -= 1;
  }

  /** Completes a chunk; the next one repeats its end. */
  private fill(): readonly Chunk[] {
    const chunks = this.make();
    const { overlapTokens } = this.limits;
    let first = this.pieces.length;
    let tokens = 0;
    // Never repeats all pieces: each chunk needs text of its own.
    while (first > 1) {
      tokens += this.pieces[first - 1]?.tokens ?? 0;
      if (tokens > overlapTokens) break;
      first -= 1;
    }
    this.pieces = this.pieces.slice(first);
    this.tokens = sumOf(this.pieces);
    this.repeated = this.pieces.length;
    return chunks;
  }

  /** Completes a chunk without overlap for the next one. */
  private close(): readonly Chunk[] {
    const chunks = this.make();
    this.pieces = [];
    this.tokens = 0;
    this.repeated = 0;
    return chunks;
  }

  /**
   * One chunk of all pieces, or one chunk per piece if the joined text exceeds the limit, since tokens do not add up
   * exactly.
   */
  private make(): readonly Chunk[] {
    const whole = this.toChunk(this.pieces, this.repeated);
    if (whole === null) return [];
    this.headings.use();
    if (whole.tokens <= this.limits.tokens || this.pieces.length === 1) return [this.number(whole)];
    return this.pieces
      .slice(this.repeated)
      .map((piece) => this.toChunk([piece], 0))
      .filter((chunk) => chunk !== null)
      .map((chunk) => this.number(chunk));
  }

  private toChunk(pieces: readonly Piece[], repeated: number): Omit<Chunk, 'ordinal'> | null {
    const joined = joinPieces(pieces);
    const text = joined.trim();
    if (text === '') return null;
    const blank = joined.length - joined.trimStart().length;
    const page = pieces.find((piece) => piece.page !== null)?.page ?? null;
    const repeatedChars = Math.max(0, joinPieces(pieces.slice(0, repeated)).length - blank);
    return { text, repeatedChars, headings: this.headings.texts, page, tokens: this.count(text) };
  }

  private number(chunk: Omit<Chunk, 'ordinal'>): Chunk {
    const ordinal = this.ordinal;
    this.ordinal += 1;
    return { ordinal, ...chunk };
  }
}

function sumOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Joins pieces, without the glue before the first one. */
function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ glue, text }, index) => (index === 0 ? text : glue + text)).join('');
}
