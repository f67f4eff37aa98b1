/** A text item of a page, as returned by the PDF library. */
export interface PageItem {
  readonly str: string;
  /** `ttb` for vertical text. */
  readonly dir: string;
  /** Name of the font within this document. */
  readonly fontName: string;
  /** Text matrix; its fifth and sixth number are the position. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  /** True if the line ends after this item. */
  readonly hasEOL: boolean;
}

export function isBlank({ str }: PageItem): boolean {
  return str.trim() === '';
}

export function isVertical({ dir }: PageItem): boolean {
  return dir === 'ttb';
}

/** True if the item is neither rotated nor mirrored. */
export function isUpright({ transform }: PageItem): boolean {
  return transform[1] === 0 && (transform[0] ?? 0) > 0;
}

/** Letters of right-to-left scripts. */
export const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
