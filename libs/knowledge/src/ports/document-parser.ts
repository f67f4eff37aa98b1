import type { ParsedBlock } from '../chunks/parsed-block.js';
import type { DocumentKind } from '../documents/document-kind.js';
import type { DocumentWarning } from '../documents/document-warning.js';

/** What whoever gave a document says of it: a hint, since its bytes decide. */
export interface DocumentHints {
  readonly fileName: string | null;
  readonly mediaType: string | null;
}

/** Why a document cannot be read. */
export const DOCUMENT_FAULTS = [
  'empty',
  'unsupported_type',
  /** It is not what its name or media type says. */
  'wrong_type',
  'encrypted',
  'damaged',
  /** A text in no known encoding. */
  'encoding',
  /** More memory than allowed, or nested beyond all measure. */
  'too_complex',
  'too_slow',
  /** More text than allowed. */
  'too_long',
  /** Nothing in it is text, as in a scan. */
  'no_text',
] as const;
export type DocumentFault = (typeof DOCUMENT_FAULTS)[number];

/** The document is at fault: it will be the same next time. */
export class UnreadableDocumentError extends Error {
  constructor(readonly fault: DocumentFault) {
    super(`the document cannot be read: ${fault}`);
    this.name = 'UnreadableDocumentError';
  }
}

/** Whoever was reading it was ended from outside, or could not begin: the same may succeed later. */
export class ReaderLostError extends Error {
  constructor() {
    super('the process that reads the document was ended from outside');
    this.name = 'ReaderLostError';
  }
}

export interface ParsedDocument {
  readonly kind: DocumentKind;
  /** Throws {@link UnreadableDocumentError} and {@link ReaderLostError}. Whoever stops early ends what stands behind it. */
  readonly blocks: AsyncIterable<readonly ParsedBlock[]>;
  /** Text that no block holds; complete when the last block was read. */
  readonly warnings: readonly DocumentWarning[];
}

/** Makes blocks of the bytes of a document, within bounds of memory, time and output. */
export abstract class DocumentParser {
  /**
   * Throws {@link UnreadableDocumentError}, {@link ReaderLostError}, what the bytes throw, and a
   * `BlobStoreUnavailableError` where they do not come in time. `signal` ends it, also while blocks are read: then its
   * reason is thrown.
   */
  abstract parse(
    bytes: AsyncIterable<Uint8Array>,
    hints: DocumentHints,
    signal: AbortSignal,
  ): Promise<ParsedDocument>;
}
