import { isOutgrown, type HistorySize } from '#libs/policy';

/** How many tokens a text has, and by whose count. */
export interface MessageTokens {
  readonly count: number;
  /** The name of the tokenizer: a model that reads by another one has it counted anew. */
  readonly tokenizer: string;
}

/** How long the conversation of an execution is, and may become. */
export interface ConversationLength {
  /** What its model was shown of it word by word, before this turn. */
  readonly held: HistorySize;
  readonly budget: HistorySize;
  /** The model that is to summarise it. */
  readonly summaryModel: string;
}

/** That a summary take the place of the older part of a conversation. */
export interface SummaryOrder {
  readonly model: string;
  readonly budget: HistorySize;
}

/** What follows from a turn for the length of its conversation; null where that keeps to its budget. */
export function orderSummary(
  { held, budget, summaryModel: model }: ConversationLength,
  added: readonly (MessageTokens | null)[],
): SummaryOrder | null {
  const tokens = added.reduce((sum, each) => sum + (each?.count ?? 0), held.tokens);
  const messages = held.messages + added.length;
  return isOutgrown({ messages, tokens }, budget) ? { model, budget } : null;
}
