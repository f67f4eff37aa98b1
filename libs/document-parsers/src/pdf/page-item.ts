/** A run of text on a page, as the reader of PDF answers it. */
export interface PageItem {
  readonly str: string;
  /** `ttb` where it is written from top to bottom. */
  readonly dir: string;
  /** The name of its font in this document. */
  readonly fontName: string;
  /** The matrix of its beginning: the fifth and sixth number are its place. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** Whether a line ends behind it. */
  readonly hasEOL: boolean;
}

export function isBlank({ str }: PageItem): boolean {
  return str.trim() === '';
}

export function isVertical({ dir }: PageItem): boolean {
  return dir === 'ttb';
}

/** Whether it is neither turned nor mirrored. */
export function isUpright({ transform }: PageItem): boolean {
  return transform[1] === 0 && (transform[0] ?? 0) > 0;
}

/** Letters that are written from right to left. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
