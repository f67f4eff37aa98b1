/** A run of text on a page, as the reader of PDF answers it. */
export interface PageItem {
  readonly str: string;
  /** The name of its font in this document. */
  readonly fontName: string;
  /** The matrix of its beginning: the fifth and sixth number are its place. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Whether a line ends behind it. */
  readonly hasEOL: boolean;
}

/** Letters that are written from right to left. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
