/** A part of a document that is found and cited. */
export interface Chunk {
  /** Its place in the document, from 0. */
  readonly ordinal: number;
  readonly text: string;
  /** So many characters (UTF-16) at its beginning are the end of the chunk before it. */
  readonly repeatedChars: number;
  /** The headings that it stands under, outermost first. */
  readonly headings: readonly string[];
  /** Where it begins, from 1; null where the document has no pages. */
  readonly page: number | null;
  /** Of `text`. */
  readonly tokens: number;
}

export interface ChunkLimits {
  /** The most that a chunk has. */
  readonly tokens: number;
  /** So much of the end of a chunk at most is repeated at the beginning of the next one; less than half of `tokens`. */
  readonly overlapTokens: number;
}

/** What a vector is made of: a text that stands under no heading means less. */
export function embeddedText({ headings, text }: Pick<Chunk, 'headings' | 'text'>): string {
  return headings.length === 0 ? text : `${headings.join(' > ')}\n\n${text}`;
}
