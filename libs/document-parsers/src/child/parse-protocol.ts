import type {
  DocumentFault,
  DocumentHints,
  DocumentKind,
  DocumentWarning,
  ParsedBlock,
} from '#libs/knowledge';

/** What the process is started with, beside its limits. The document comes by standard input. */
export interface ParseOrder {
  readonly hints: DocumentHints;
  readonly mostChars: number;
}

/** A line of what the process answers by standard output. One that ends without the last of them has been ended. */
export type ParseLine =
  | { readonly kind: DocumentKind }
  | { readonly blocks: readonly ParsedBlock[] }
  | { readonly fault: DocumentFault }
  | { readonly end: true; readonly warnings: readonly DocumentWarning[] };
