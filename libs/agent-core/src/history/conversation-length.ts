import { isOutgrown, type HistorySize } from '#libs/policy';

/** Token count of a text, with the tokenizer that counted it. */
export interface MessageTokens {
  readonly count: number;
  /** Tokenizer name; for a model with another tokenizer the text is counted again. */
  readonly tokenizer: string;
}

/** Length of an execution's conversation, and its budget. */
export interface ConversationLength {
  /** The history shown verbatim to the model, before this turn. */
  readonly held: HistorySize;
  readonly budget: HistorySize;
  /** Model that summarises the conversation. */
  readonly summaryModel: string;
}

/** A request to replace the older part of a conversation by a summary. */
export interface SummaryOrder {
  readonly model: string;
  readonly budget: HistorySize;
}

/** Requests a summary if the conversation exceeds its budget after a turn; null if it does not. */
export function orderSummary(
  { held, budget, summaryModel: model }: ConversationLength,
  added: readonly (MessageTokens | null)[],
): SummaryOrder | null {
  const tokens = added.reduce((sum, each) => sum + (each?.count ?? 0), held.tokens);
  const messages = held.messages + added.length;
  return isOutgrown({ messages, tokens }, budget) ? { model, budget } : null;
}
