/**
 * Presentation characters of fonts: ligatures, joined Arabic and Hebrew forms, radicals instead of ideographs, vertical
 * punctuation, and blanks of other widths.
 */
const FORMS =
  /[\u00a0\u2000-\u200a\u202f\u2e80-\u2fd5\uf900-\ufaff\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g;
/** Blank with which a stand-alone Arabic mark is composed. */
const BLANK_BEFORE_MARK = / (?=[\u064b-\u0655\u0670])/g;
/** Bullet of the Symbol font. */
const SYMBOL_BULLET = /\uf0b7/g;

/** Normalises a text to characters that people type. Pure. */
export function asTyped(text: string): string {
  return text
    .replace(FORMS, (forms) => forms.normalize('NFKC').replace(BLANK_BEFORE_MARK, ''))
    .replace(SYMBOL_BULLET, '•');
}
