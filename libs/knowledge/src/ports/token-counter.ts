/** How many tokens a text has, by the tokenizer of one model. */
export type CountTokens = (text: string) => number;
