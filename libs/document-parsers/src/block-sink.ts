import type { DocumentWarningCode, ParsedBlock } from '#libs/knowledge';

/** Takes what a parser finds in a document. */
export interface BlockSink {
  /** The next block in the order of reading; waits where its reader is slower. */
  readonly write: (block: ParsedBlock) => Promise<void>;
  /** Text that is there and that no block has, on this page where there are pages. */
  readonly warn: (code: DocumentWarningCode, page?: number) => void;
}

export interface DocumentBytes {
  readonly bytes: Buffer;
  /** The encoding that its media type names. */
  readonly charset: string | null;
}

/** Makes blocks of a document of one kind. Throws `UnreadableDocumentError` where the document is at fault. */
export type ParseKind = (document: DocumentBytes, sink: BlockSink) => Promise<void>;
