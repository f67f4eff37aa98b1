import { chooseBatch, chooseKept, isOutgrown, type CountedMessage } from '#libs/policy';
import type { StoredMessage } from '../ports/stored-context.js';
import type { ClaimedSummary, SummaryStore } from '../ports/summary-store.js';

/** Turns for the next summary. */
export interface LeavingPart {
  /** Oldest first. */
  readonly messages: readonly StoredMessage[];
  readonly throughTurn: number;
  /** True if further turns must be summarized afterwards. */
  readonly isMore: boolean;
}

/** Minimum tokens per call, so that a prompt with little room does not cause one call per turn. */
const MIN_BATCH_TOKENS = 1_000;

/** Maximum messages of a turn: question, answer, and intermediate messages of older releases. */
const MAX_MESSAGES_OF_A_TURN = 10;

/**
 * Selects the oldest turns beyond the budget; null if the conversation fits. Reads only the budget's messages from the
 * end and one summary's worth from the beginning, however long the conversation is.
 */
export async function chooseNextPart(
  store: Pick<SummaryStore, 'readMessages'>,
  claimed: ClaimedSummary,
  countTokens: (message: StoredMessage) => number,
): Promise<LeavingPart | null> {
  const { budget, fromTurn } = claimed;
  const limit = budget.messages + MAX_MESSAGES_OF_A_TURN;
  const count = (message: StoredMessage): CountedMessage => ({
    turnNumber: message.turnNumber,
    tokens: countTokens(message),
  });
  const newest = await store.readMessages(claimed, { end: 'newest', fromTurn, beforeTurn: null, limit });
  const counted = newest.map(count);
  const tokens = counted.reduce((sum, message) => sum + message.tokens, 0);
  if (newest.length < limit && !isOutgrown({ messages: newest.length, tokens }, budget)) return null;
  const kept = chooseKept(counted, budget).fromTurn;
  const range = { end: 'oldest', fromTurn, beforeTurn: kept, limit } as const;
  const oldest = await store.readMessages(claimed, range);
  const whole = oldest.length < limit ? oldest : withoutLastTurn(oldest);
  const batch = { messages: budget.messages, tokens: Math.max(budget.tokens, MIN_BATCH_TOKENS) };
  const throughTurn = chooseBatch(whole.map(count), batch);
  if (throughTurn === null) return null;
  const messages = whole.filter(({ turnNumber }) => turnNumber <= throughTurn);
  return { messages, throughTurn, isMore: messages.length < oldest.length };
}

/** Drops the last turn, which may be incomplete. */
function withoutLastTurn(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const last = messages.at(-1)?.turnNumber;
  return messages.filter(({ turnNumber }) => turnNumber !== last);
}
