/** The size of a conversation: messages, and tokens that a model reads. */
export interface HistorySize {
  readonly messages: number;
  readonly tokens: number;
}

/** Default tokens of a conversation that are shown verbatim. */
export const DEFAULT_HISTORY_TOKENS = 16_000;
/** Maximum messages shown verbatim, however short they are. */
export const MAX_HISTORY_MESSAGES = 200;

/** The size at which a summary replaces the older part of a conversation. */
export function historyBudget(wantedTokens: number | null, roomTokens: number): HistorySize {
  const tokens = Math.min(wantedTokens ?? DEFAULT_HISTORY_TOKENS, Math.max(0, roomTokens));
  return { messages: MAX_HISTORY_MESSAGES, tokens };
}

/**
 * The size that stays verbatim after a summary: half, so that the next summary is due only after as much new content.
 * In between, the start of the prompt stays the same, which provider caches rely on.
 */
export function keptOf({ messages, tokens }: HistorySize): HistorySize {
  return { messages: Math.floor(messages / 2), tokens: Math.floor(tokens / 2) };
}

/** Whether a conversation exceeds its budget. */
export function isOutgrown(held: HistorySize, budget: HistorySize): boolean {
  return held.messages > budget.messages || held.tokens > budget.tokens;
}
