/**
 * Characters that only fonts have: ligatures, joined forms of Arabic and Hebrew, radicals in the place of ideographs,
 * signs of vertical writing, blanks of other widths.
 */
const FORMS =
  /[\u00a0\u2000-\u200a\u202f\u2e80-\u2fd5\uf900-\ufaff\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g;
/** A mark of Arabic that stands alone is composed with a blank. */
const BLANK_BEFORE_MARK = / (?=[\u064b-\u0655\u0670])/g;
/** The bullet of the font Symbol. */
const SYMBOL_BULLET = /\uf0b7/g;

/** Pure: a text in the characters that people type. */
export function asTyped(text: string): string {
  return text
    .replace(FORMS, (forms) => forms.normalize('NFKC').replace(BLANK_BEFORE_MARK, ''))
    .replace(SYMBOL_BULLET, '•');
}
