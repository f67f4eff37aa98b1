/** How long a conversation is: its messages, and the tokens that a model reads of them. */
export interface HistorySize {
  readonly messages: number;
  readonly tokens: number;
}

/** Tokens of a conversation that are shown word by word, where its agent says nothing else. */
export const DEFAULT_HISTORY_TOKENS = 16_000;
/** However short they are. */
export const MOST_HISTORY_MESSAGES = 200;

/** What a conversation may grow to before a summary takes the place of its older part. */
export function historyBudget(wantedTokens: number | null, roomTokens: number): HistorySize {
  const tokens = Math.min(wantedTokens ?? DEFAULT_HISTORY_TOKENS, Math.max(0, roomTokens));
  return { messages: MOST_HISTORY_MESSAGES, tokens };
}

/**
 * What stays word by word once a summary is written: half, so that the next one is due after as much has been said again.
 * In between the beginning of the prompt stays the same, which the caches of providers need.
 */
export function keptOf({ messages, tokens }: HistorySize): HistorySize {
  return { messages: Math.floor(messages / 2), tokens: Math.floor(tokens / 2) };
}

/** Whether a conversation has outgrown its budget. */
export function isOutgrown(held: HistorySize, budget: HistorySize): boolean {
  return held.messages > budget.messages || held.tokens > budget.tokens;
}
