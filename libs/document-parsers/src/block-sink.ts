import type { DocumentWarningCode, ParsedBlock } from '#libs/knowledge';

/** Receives a parser's output. */
export interface BlockSink {
  /** Writes the next block in reading order; waits for a slower reader. */
  readonly write: (block: ParsedBlock) => Promise<void>;
  /** Reports text that no block contains, with its page if there are pages. */
  readonly warn: (code: DocumentWarningCode, page?: number) => void;
}

export interface DocumentBytes {
  readonly bytes: Buffer;
  /** Encoding named by the media type. */
  readonly charset: string | null;
}

/** Parses a document of one kind. Throws `UnreadableDocumentError` for a faulty document. */
export type ParseKind = (document: DocumentBytes, sink: BlockSink) => Promise<void>;
