import type { HistorySize } from './history-limits.js';

/** A message of a conversation with its turn and token count. */
export interface CountedMessage {
  readonly turnNumber: number;
  readonly tokens: number;
}

/** The newest messages of a conversation, up to a limit. */
export interface HistoryWindow extends HistorySize {
  /** The oldest turn in the window; null if it is empty. */
  readonly fromTurn: number | null;
}

/**
 * Chooses as many of the newest turns as fit. Turns are never split: no answer without its question, no call without
 * its output.
 *
 * @param messages oldest first
 * @param limit limit of all chosen messages together
 */
export function chooseWindow(messages: readonly CountedMessage[], limit: HistorySize): HistoryWindow {
  let window: HistoryWindow = { fromTurn: null, messages: 0, tokens: 0 };
  for (const turn of newestFirst(messages)) {
    const tokens = window.tokens + turn.tokens;
    const count = window.messages + turn.messages;
    if (tokens > limit.tokens || count > limit.messages) break;
    window = { fromTurn: turn.turnNumber, messages: count, tokens };
  }
  return window;
}

type Turn = HistorySize & { readonly turnNumber: number };

function newestFirst(messages: readonly CountedMessage[]): readonly Turn[] {
  const turns = new Map<number, Turn>();
  for (const { turnNumber, tokens } of messages) {
    const before = turns.get(turnNumber) ?? { turnNumber, messages: 0, tokens: 0 };
    turns.set(turnNumber, { turnNumber, messages: before.messages + 1, tokens: before.tokens + tokens });
  }
  return [...turns.values()].reverse();
}
