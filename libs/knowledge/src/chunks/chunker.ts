import type { CountTokens } from '../ports/token-counter.js';
import type { Chunk, ChunkLimits } from './chunk.js';
import { HeadingPath } from './heading-path.js';
import type { ParsedBlock } from './parsed-block.js';
import { rowText } from './row-text.js';
import { splitText } from './split-text.js';

/** What a chunk is put together of. */
interface Piece {
  readonly text: string;
  /** Blanks between it and the piece before it. */
  readonly glue: string;
  /** Of both. */
  readonly tokens: number;
  readonly page: number | null;
}

/**
 * Makes chunks of blocks as they come. Each stands under one path of headings, has at most as many tokens as is allowed, and
 * begins with the end of the one before it where both stand under the same headings. No word of the document is lost. Always
 * the same for the same blocks, limits and tokenizer.
 */
export class Chunker {
  private readonly headings = new HeadingPath();
  private pieces: Piece[] = [];
  /** Size of all pieces together. */
  private tokens = 0;
  /** So many of the pieces are repeated. */
  private repeated = 0;
  private ordinal = 0;

  constructor(
    private readonly limits: ChunkLimits,
    private readonly count: CountTokens,
  ) {}

  /** Answers the chunks that are complete, each once it is asked for: a block may be a whole document. */
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

  /** Answers the rest. */
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
    // What is repeated gives way to what is new.
    while (this.repeated > 0 && this.tokens + piece.tokens > this.limits.tokens) this.drop();
    this.pieces.push(piece);
    this.tokens += piece.tokens;
    return full;
  }

  private drop(): void {
    this.tokens -= this.pieces.shift()?.tokens ?? 0;
    this.repeated -= 1;
  }

  /** A chunk of what there is; the next one begins with its end. */
  private fill(): readonly Chunk[] {
    const chunks = this.make();
    const { overlapTokens } = this.limits;
    let first = this.pieces.length;
    let tokens = 0;
    // Never all of it: each chunk has something of its own.
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

  /** A chunk of what there is; nothing of it is repeated. */
  private close(): readonly Chunk[] {
    const chunks = this.make();
    this.pieces = [];
    this.tokens = 0;
    this.repeated = 0;
    return chunks;
  }

  /** Of the pieces, one chunk; more where they have more tokens together than each by itself. */
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

/** Begins with the first piece itself, without what stands before it. */
function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ glue, text }, index) => (index === 0 ? text : glue + text)).join('');
}
