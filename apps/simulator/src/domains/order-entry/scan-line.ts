import { blank, maskNoise } from './noise.js';
import { DIGITS, KANJI_NUMBER, NUMBER_WORDS, readNumber } from './numbers.js';
import { HOLDING_UNIT, JAPANESE_UNIT, SIZE_UNIT, UNIT, unitKind, type UnitKind } from './units.js';

export interface Span {
  readonly start: number;
  readonly end: number;
  readonly written: string;
}

/** A number with a unit, or a bare number where `kind` is null. */
export interface Quantity extends Span {
  readonly amount: number;
  readonly kind: UnitKind | null;
  /** True for "2-3 cases", of which the first number is used. */
  readonly isRange: boolean;
}

/** Parts of a line. `rest` is the line with found parts blanked out, so that positions are kept. */
export interface ScannedLine {
  readonly text: string;
  readonly rest: string;
  readonly codes: readonly Span[];
  readonly packs: readonly Span[];
  readonly quantities: readonly Quantity[];
}

const NOT_INSIDE_NUMBER = String.raw`(?<![A-Za-z\d#]|\d[-./,])`;
const LETTER_CODE =
  /(?<![\w-])(?=[A-Z\d-]*\d{2})[A-Z]{2,5}-[\dOIL]{3,6}(?![\w-])|(?<![\w-])[A-Z]{2,5}\d{3,6}(?![\w-])/giu;
const SPACED_CODE = /(?<![\w-])(?!QTY)[A-Z]{3} \d{4}(?![\w-])/gu;
const LABELLED_CODE =
  /(?:\b(?:item|code|sku|art)\b\.?\s*(?:no\.?|#|:)*\s*|(?:品番|商品コード|コード)\s*[:：]?\s*|#)(?=[\w-]*\d{3})[\w-]{3,12}/giu;
const LONG_NUMBER = /(?<![\w.,$/#-])\d{5,8}(?![\w/-]|[.,]\d)/gu;
const FOUR_DIGITS = new RegExp(String.raw`(?<![\w.,$/#-])\d{4}(?![\w/-]|[.,]\d)(?!\s*${UNIT})`, 'giu');

/** `6/5 lb`, `4x5kg`, `12/1 L`, `6/#10`. */
const SPLIT_PACK = new RegExp(
  String.raw`(?<![\d.])\d+(?:\.\d+)?[/x×*](?:#\d+|\d+(?:\.\d+)?\s*-?(?:${SIZE_UNIT}|ct(?![A-Za-z])))`,
  'giu',
);
const COUNT_PACK = /(?<![\d.])\d+\s*(?:ct|count)(?![A-Za-z])|#\d{1,2}(?!\d)(?:\s*cans?)?/giu;
/** `50 lb bag` as a pack size. */
const SIZED_PACK = new RegExp(
  String.raw`${NOT_INSIDE_NUMBER}\d+(?:\.\d+)?\s*-?\s*${SIZE_UNIT}\s*-?\s*${HOLDING_UNIT}`,
  'giu',
);
/** `2 x 50 lb bags`, `2 50-lb bags`: two bags. */
const COUNTED_PACK = new RegExp(
  String.raw`${NOT_INSIDE_NUMBER}(?<amount>${DIGITS})\s+(?:[x×]\s+)?(?<pack>#\d{1,2}|\d+(?:\.\d+)?\s*-?\s*${SIZE_UNIT})\s*-?\s*(?<unit>${HOLDING_UNIT})`,
  'giu',
);
const AMOUNT_WITH_UNIT = new RegExp(
  String.raw`${NOT_INSIDE_NUMBER}(?:[x×]\s*)?(?<amount>${DIGITS}|\b(?:${NUMBER_WORDS})\b)` +
    String.raw`(?:\s*(?:-|~|〜|to|or)\s*(?<upTo>\d+))?\s*(?:[x×]\s*)?(?<unit>${UNIT})`,
  'giu',
);
const HAS_AMOUNT = new RegExp(AMOUNT_WITH_UNIT.source, 'iu');
const KANJI_WITH_UNIT = new RegExp(String.raw`(?<amount>${KANJI_NUMBER})(?<unit>${JAPANESE_UNIT})`, 'giu');
/** `qty 3`, `数量 3`. */
const LABELLED_AMOUNT = new RegExp(
  String.raw`(?:\bqty\b|\bquantity\b|数量)\s*[:：.=]?\s*(?<amount>${DIGITS})`,
  'giu',
);
/** `x3`, `3 x`, `×3`. */
const TIMES_AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\d])[x×]\s*(?<amount>${DIGITS})(?![\d.])|${NOT_INSIDE_NUMBER}(?<before>${DIGITS})\s*[x×](?![A-Za-z\d])`,
  'giu',
);

/** Finds item codes, pack sizes and quantities in an NFKC-normalised line. Each character belongs to at most one of them. */
export function scanLine(text: string): ScannedLine {
  const sheet = new Sheet(maskNoise(text));
  const codes = [
    ...[LABELLED_CODE, LETTER_CODE, SPACED_CODE, LONG_NUMBER, FOUR_DIGITS].flatMap((pattern) =>
      sheet.take(pattern),
    ),
  ].map(toSpan);
  const counted = sheet.take(COUNTED_PACK);
  const packs = [SPLIT_PACK, COUNT_PACK].flatMap((pattern) => sheet.take(pattern)).map(toSpan);
  const withUnit = [AMOUNT_WITH_UNIT, KANJI_WITH_UNIT];
  const sized = hasOtherQuantity(sheet.rest) ? sheet.take(SIZED_PACK).map(toSpan) : [];
  const found = withUnit.flatMap((pattern) => sheet.take(pattern));
  const bare =
    [...counted, ...found].length > 0
      ? []
      : [LABELLED_AMOUNT, TIMES_AMOUNT].flatMap((pattern) => sheet.take(pattern));
  return {
    text,
    rest: sheet.rest,
    codes: byPosition(codes),
    packs: byPosition([...packs, ...sized, ...counted.map(packOf)]),
    quantities: byPosition([...counted, ...found, ...bare].flatMap(toQuantity)),
  };
}

/** A line in which found parts are blanked out. */
class Sheet {
  constructor(public rest: string) {}

  take(pattern: RegExp): readonly RegExpExecArray[] {
    const matches = [...this.rest.matchAll(pattern)];
    this.rest = this.rest.replace(pattern, blank);
    return matches;
  }
}

/** "50 lb bag" alone is an order in pounds; beside "2 ea" it is a pack size. */
function hasOtherQuantity(rest: string): boolean {
  return HAS_AMOUNT.test(rest.replace(SIZED_PACK, blank));
}

function toSpan(match: RegExpExecArray): Span {
  return { start: match.index, end: match.index + match[0].length, written: match[0].trim() };
}

function packOf(match: RegExpExecArray): Span {
  return { ...toSpan(match), written: match.groups?.['pack'] ?? '' };
}

function toQuantity(match: RegExpExecArray): readonly Quantity[] {
  const { amount: after, before, unit, upTo } = match.groups ?? {};
  const amount = readNumber(after ?? before ?? '');
  if (amount === null) return [];
  return [
    {
      ...toSpan(match),
      amount,
      kind: unit === undefined ? null : unitKind(unit),
      isRange: upTo !== undefined,
    },
  ];
}

function byPosition<T extends Span>(spans: readonly T[]): readonly T[] {
  return spans.toSorted((a, b) => a.start - b.start);
}
