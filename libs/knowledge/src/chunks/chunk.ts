/** A passage of a document, the unit of search and citation. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly ordinal: number;
  readonly text: string;
  /** Number of leading UTF-16 code units that repeat the end of the previous chunk. */
  readonly repeatedChars: number;
  /** Enclosing headings, outermost first. */
  readonly headings: readonly string[];
  /** Page on which the chunk begins, from 1; null if the document has no pages. */
  readonly page: number | null;
  /** Token count of `text`. */
  readonly tokens: number;
}

export interface ChunkLimits {
  /** Maximum tokens per chunk. */
  readonly tokens: number;
  /** Maximum tokens repeated from the previous chunk; less than half of `tokens`. */
  readonly overlapTokens: number;
}

/** Text to embed: the headings give the text its context. */
export function embeddedText({ headings, text }: Pick<Chunk, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}
