/** Scripts with words of their own, not mixed with Latin letters. */
const SCRIPT_OF: Readonly<Record<string, RegExp>> = {
  'windows-1251': /^\p{Script=Cyrillic}+$/u,
  'koi8-r': /^\p{Script=Cyrillic}+$/u,
  'windows-1253': /^\p{Script=Greek}+$/u,
  'windows-1255': /^\p{Script=Hebrew}+$/u,
  'windows-1256': /^(?:\p{Script=Arabic}|\u0640|[\u064b-\u0652])+$/u,
};
const CJK = new Set(['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr']);

const KANA = /^[\u3040-\u30ff]$/;
const HANGUL = /^[\uac00-\ud7a3]$/;
const HAN = /^[\u4e00-\u9fff]$/;
/** Full-width punctuation and letters. */
const WIDE = /^[\u3000-\u3015\uff01-\uff5e\u2018-\u201d\u2026\u00b7]$/;
const HALF_KANA = /^[\uff65-\uff9f]$/;
/** Non-letters of Latin text: quotes, dashes, currencies, units. */
const LATIN_SIGN =
  /^[\u2018-\u201f\u2013\u2014\u2026\u20ac\u00a0\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0\u00b2\u00b3\u00b5\u00b7\u00bb\u00bd\u00bf\u00a1\u00b1\u00b9\u00bc\u00be\u00a2\u00a5\u00d7\u00f7\u2030\u2122\u2022]$/;
/** Letters, including signs between letters, which are probably wrongly decoded letters. */
const WORD = /(?:[\p{L}\p{M}]|(?<=\p{L})[^\0-\x7f\s\p{L}\p{M}\u2010-\u2026](?=\p{L}))+/gu;
const NOT_ASCII = /[^\0-\x7f]/gu;
/** Signs outside of words. */
const SIGN = /(?<!\p{L})[^\0-\x7f\p{L}\p{M}]|[^\0-\x7f\p{L}\p{M}](?!\p{L})/gu;
/** Characters that no text contains. */
export const CONTROL = /[\x00-\x08\x0e-\x19\x1c-\x1f\x7f-\x9f]/;

/**
 * Plausibility of a decoded text, 0 to 1. Each non-ASCII character is rated by its word or as a sign.
 *
 * @param isCommon true if the encoding lists this CJK character among the frequent ones
 */
export function plausibilityOf(
  text: string,
  encoding: string,
  isCommon: (character: string) => boolean,
): number {
  if (CONTROL.test(text)) return 0;
  const total = text.match(NOT_ASCII)?.length ?? 0;
  if (total === 0) return 0;
  if (CJK.has(encoding)) {
    const sum = [...text].reduce((so, character) => so + cjkWeight(character, encoding, isCommon), 0);
    return Math.min(1, sum / total);
  }
  const script = SCRIPT_OF[encoding];
  let sum = 0;
  for (const [word] of text.matchAll(WORD)) {
    const count = word.match(NOT_ASCII)?.length ?? 0;
    if (count > 0 && isWritten(word, count, script)) sum += count * weightOf(word);
  }
  for (const [sign] of text.matchAll(SIGN)) if (LATIN_SIGN.test(sign)) sum += SIGN_WEIGHT;
  return Math.min(1, sum / total);
}

const SIGN_WEIGHT = 0.6;
/** Lower weight, because words in capitals are rarer than wrong decodings that produce them. */
const SHOUTED_WEIGHT = 0.7;

/** A single letter is rated like a sign. */
function weightOf(word: string): number {
  if (word.length === 1) return SIGN_WEIGHT;
  return /^\p{Lu}+$/u.test(word) ? SHOUTED_WEIGHT : 1;
}

/** True for a word of one script, with capitals at its beginning only or throughout. */
function isWritten(word: string, beyondAscii: number, script: RegExp | undefined): boolean {
  if (/\p{Ll}\p{Lu}/u.test(word)) return false;
  if (script !== undefined) return script.test(word);
  if (!/^[\p{Script=Latin}\p{M}]+$/u.test(word)) return false;
  const ascii = word.length - beyondAscii;
  return ascii >= beyondAscii || word.length === 1;
}

function cjkWeight(character: string, encoding: string, isCommon: (character: string) => boolean): number {
  if (character < '\x80') return 0;
  const isJapanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  if (KANA.test(character)) return isJapanese ? 1 : 0.3;
  if (HALF_KANA.test(character)) return encoding === 'shift_jis' ? 0.5 : 0;
  if (WIDE.test(character)) return 0.9;
  if (HANGUL.test(character)) return encoding === 'euc-kr' ? 1 : 0;
  if (!HAN.test(character)) return 0;
  if (encoding === 'euc-kr') return 0.2;
  return isCommon(character) ? 0.9 : 0.2;
}
