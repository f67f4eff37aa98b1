const ONE_TOKEN_EACH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/gu;
const CHARACTERS_OF_A_TOKEN = 4;

/** Estimated tokens of a text: one for each four characters, one for each CJK character. Deterministic. */
export function estimateTokens(text: string): number {
  const dense = text.match(ONE_TOKEN_EACH)?.length ?? 0;
  return dense + Math.ceil((text.length - dense) / CHARACTERS_OF_A_TOKEN);
}

/** The longest prefix of at most `tokens` tokens that splits no surrogate pair. */
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
