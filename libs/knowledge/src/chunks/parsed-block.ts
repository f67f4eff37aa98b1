/** Unit of a parser's output, in reading order. */
export type ParsedBlock =
  /** @property level from 1, the outermost */
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly page?: number }
  /** A paragraph, list item or listing. */
  | { readonly kind: 'text'; readonly text: string; readonly page?: number }
  /** A table row with column names, so that it is understandable on its own. */
  | {
      readonly kind: 'row';
      readonly cells: readonly (readonly [column: string, value: string])[];
      readonly page?: number;
    };
