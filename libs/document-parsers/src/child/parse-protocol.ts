import type { DocumentFault, DocumentHints, DocumentKind, ParsedBlock } from '#libs/knowledge';

/** What the process is started with, as JSON in its one argument. The document comes by standard input. */
export interface ParseOrder {
  readonly hints: DocumentHints;
  readonly mostChars: number;
  /** Of all memory that the process has, not of its heap alone. */
  readonly mostRssBytes: number;
  /** Whom the process must not outlive. */
  readonly parentPid: number;
}

/** A line of what the process answers by standard output. One that ends without the last of them has been ended. */
export type ParseLine =
  | { readonly kind: DocumentKind }
  | { readonly blocks: readonly ParsedBlock[] }
  | { readonly fault: DocumentFault }
  | { readonly end: true };
