const ONE_TOKEN_EACH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;
const CHARACTERS_OF_A_TOKEN = 4;

/** Tokens of a text, estimated from its length: four characters each, one each for CJK. The same text, the same count. */
export function estimateTokens(text: string): number {
  const dense = text.match(ONE_TOKEN_EACH)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / CHARACTERS_OF_A_TOKEN);
}

/** The beginning of `text` that is worth at most `tokens`; never half of a surrogate pair. */
export function firstTokens(text: string, tokens: number): string {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  const isHalfPair = /[\uD800-\uDBFF]$/.test(text.slice(0, low)) && /^[\uDC00-\uDFFF]/.test(text.slice(low));
  return text.slice(0, isHalfPair ? low - 1 : low);
}
