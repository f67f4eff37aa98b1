/** Counts a text's tokens by one model's tokenizer. */
export type CountTokens = (text: string) => number;
