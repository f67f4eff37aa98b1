import type { Uom } from './order-line.js';

/** Kind of a unit; `measure` is a weight or volume that goods are not ordered by. */
export type UnitKind = 'case' | 'piece' | 'dozen' | 'pound' | 'measure';

const CASES = 'cases?|case|cass?es?|caes|cse|cs|c/s|ctns?|cartons?|boxes|box|bxs?';
const PIECES =
  'each|eaches|eas?|pcs?|pieces?|units?|bottles?|btls?|bags?|jars?|cans?|tins?|tubs?|packs?|packets?|pkts?|pks?|' +
  'bunches|bunch|heads?|loaves|loaf|trays?|rolls?|sacks?|buckets?|pails?|jugs?|blocks?|wheels?|sticks?';
const DOZENS = 'dozens?|doz|dz';
const POUNDS = String.raw`pounds?|lbs?|#(?!\d)`;
const MEASURES =
  'kilograms?|kilos?|kgs?|grams?|g|ounces?|oz|millilit(?:er|re)s?|ml|lit(?:er|re)s?|l|gallons?|gals?|quarts?|qts?|pints?|pts?';

const CASES_JA = 'ケース|カートン|箱';
const PIECES_JA =
  '個|コ(?![ァ-ヶー])|ヶ|ケ(?![ァ-ヶー])|こ(?![ぁ-ん])|ピース|本|袋|枚|缶|瓶|びん|パック|玉(?!ねぎ|葱|子)|束|丁|匹|尾|株|房|斤|切れ|つ(?![ぁ-ん])';
const DOZENS_JA = 'ダース';
const POUNDS_JA = 'ポンド';
const MEASURES_JA = 'キロ(?:グラム)?|グラム|リットル';

const ENGLISH: readonly (readonly [UnitKind, string])[] = [
  ['case', CASES],
  ['piece', PIECES],
  ['dozen', DOZENS],
  ['pound', POUNDS],
  ['measure', MEASURES],
];
const JAPANESE: readonly (readonly [UnitKind, string])[] = [
  ['case', CASES_JA],
  ['piece', PIECES_JA],
  ['dozen', DOZENS_JA],
  ['pound', POUNDS_JA],
  ['measure', MEASURES_JA],
];

/** Matches a unit: English ones end at a word boundary, Japanese ones need none. */
export const UNIT = String.raw`(?:(?:${join(ENGLISH)})(?![A-Za-z])|(?:${join(JAPANESE)}))`;
/** Units of a pack size. */
export const SIZE_UNIT = String.raw`(?:(?:${POUNDS}|${MEASURES})(?![A-Za-z])|(?:${POUNDS_JA}|${MEASURES_JA}))`;
/** Units of containers and pieces. */
export const HOLDING_UNIT = String.raw`(?:(?:${CASES}|${PIECES})(?![A-Za-z])|(?:${CASES_JA}|${PIECES_JA}))`;
export const JAPANESE_UNIT = `(?:${join(JAPANESE)})`;

/** Kind of a written unit. */
export function unitKind(written: string): UnitKind {
  const found = [...ENGLISH, ...JAPANESE].find(([, pattern]) =>
    new RegExp(`^(?:${pattern})$`, 'iu').test(written),
  );
  return found?.[0] ?? 'measure';
}

/** Order unit for a kind; empty for one that goods are not ordered by. */
export function uomOf(kind: UnitKind): Uom {
  switch (kind) {
    case 'case':
      return 'CS';
    case 'piece':
    case 'dozen':
      return 'Ea';
    case 'pound':
      return 'Lbs';
    case 'measure':
      return '';
  }
}

const UNIT_BEFORE = new RegExp(String.raw`^(${UNIT})[\s.:]+`, 'iu');
const UNIT_AFTER = new RegExp(String.raw`[\s,:]+(${UNIT})[\s.]*$`, 'iu');

/** Splits off a unit that is separate from its number, as in "cs romaine x3": the name without it, and its kind or null. */
export function takeUnit(name: string): { readonly name: string; readonly kind: UnitKind | null } {
  for (const pattern of [UNIT_AFTER, UNIT_BEFORE]) {
    const written = pattern.exec(name)?.[1];
    if (written !== undefined) return { name: name.replace(pattern, ''), kind: unitKind(written) };
  }
  return { name, kind: null };
}

function join(units: readonly (readonly [UnitKind, string])[]): string {
  return units.map(([, pattern]) => pattern).join('|');
}
