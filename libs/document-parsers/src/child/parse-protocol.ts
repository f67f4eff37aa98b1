import type {
  DocumentFault,
  DocumentHints,
  DocumentKind,
  DocumentWarning,
  ParsedBlock,
} from '#libs/knowledge';

/** Arguments of the process, beside its limits. The document is sent over standard input. */
export interface ParseOrder {
  readonly hints: DocumentHints;
  readonly mostChars: number;
}

/** One line of the process's standard output. The last line is `fault` or `end`; without it, the process was killed. */
export type ParseLine =
  | { readonly kind: DocumentKind }
  | { readonly blocks: readonly ParsedBlock[] }
  | { readonly fault: DocumentFault }
  | { readonly end: true; readonly warnings: readonly DocumentWarning[] };
