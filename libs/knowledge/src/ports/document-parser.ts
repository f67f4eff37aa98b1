import type { ParsedBlock } from '../chunks/parsed-block.js';
import type { DocumentKind } from '../documents/document-kind.js';
import type { DocumentWarning } from '../documents/document-warning.js';

/** The client's description of a document; only a hint, because the kind is detected from the bytes. */
export interface DocumentHints {
  readonly fileName: string | null;
  readonly mediaType: string | null;
}

/** Reasons why a document is unreadable. */
export const DOCUMENT_FAULTS = [
  'empty',
  'unsupported_type',
  /** The contents do not match the file name or media type. */
  'wrong_type',
  'encrypted',
  'damaged',
  /** The text's encoding is unknown. */
  'encoding',
  /** Parsing exceeds the memory limit or the nesting limit. */
  'too_complex',
  'too_slow',
  /** The text exceeds the limit. */
  'too_long',
  /** The document contains no text, e.g. a scan. */
  'no_text',
] as const;
export type DocumentFault = (typeof DOCUMENT_FAULTS)[number];

/** The document itself is faulty: a retry does not help. */
export class UnreadableDocumentError extends Error {
  constructor(readonly fault: DocumentFault) {
    super(`the document cannot be read: ${fault}`);
    this.name = 'UnreadableDocumentError';
  }
}

/** The parser process was killed from outside or could not start: a retry may succeed. */
export class ReaderLostError extends Error {
  constructor() {
    super('the process that reads the document was ended from outside');
    this.name = 'ReaderLostError';
  }
}

export interface ParsedDocument {
  readonly kind: DocumentKind;
  /**
   * Throws {@link UnreadableDocumentError} and {@link ReaderLostError}. Ending the iteration early releases its
   * resources.
   */
  readonly blocks: AsyncIterable<readonly ParsedBlock[]>;
  /** Text that no block contains; complete once the last block was read. */
  readonly warnings: readonly DocumentWarning[];
}

/** Parses a document's bytes to blocks, with limits on memory, time and output. */
export abstract class DocumentParser {
  /**
   * Throws {@link UnreadableDocumentError}, {@link ReaderLostError}, errors of `bytes`, and a
   * `BlobStoreUnavailableError` if `bytes` stalls. `signal` also aborts the iteration over blocks, with its reason as
   * error.
   */
  abstract parse(
    bytes: AsyncIterable<Uint8Array>,
    hints: DocumentHints,
    signal: AbortSignal,
  ): Promise<ParsedDocument>;
}
