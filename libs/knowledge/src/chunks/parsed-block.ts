/** What a parser makes of a document, one after the other, in the order of reading. */
export type ParsedBlock =
  /** @property level from 1, the outermost */
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly page?: number }
  /** A paragraph, a list item, a listing: what belongs together. */
  | { readonly kind: 'text'; readonly text: string; readonly page?: number }
  /** A row of a table, with the names of its columns: each can be understood by itself. */
  | {
      readonly kind: 'row';
      readonly cells: readonly (readonly [column: string, value: string])[];
      readonly page?: number;
    };
