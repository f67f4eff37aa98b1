import { chooseWindow, type CountedMessage, type HistoryWindow } from './choose-window.js';
import { keptOf, type HistorySize } from './history-limits.js';

/**
 * Chooses the messages that stay verbatim beside a summary: the newest turns within half of the budget, and always the
 * last turn, even if it alone exceeds that half.
 *
 * @param messages oldest first, up to the newest of the conversation
 */
export function chooseKept(messages: readonly CountedMessage[], budget: HistorySize): HistoryWindow {
  const kept = chooseWindow(messages, keptOf(budget));
  if (kept.fromTurn !== null) return kept;
  const last = messages.at(-1)?.turnNumber;
  return chooseWindow(
    messages.filter(({ turnNumber }) => turnNumber === last),
    budget,
  );
}

/**
 * The last turn that one summary covers: as many turns as fit one prompt, and at least one of any length. Null without
 * messages.
 *
 * @param messages oldest first
 */
export function chooseBatch(messages: readonly CountedMessage[], most: HistorySize): number | null {
  let [tokens, count, through] = [0, 0, null as number | null];
  for (const [index, message] of messages.entries()) {
    tokens += message.tokens;
    count += 1;
    if (through !== null && (tokens > most.tokens || count > most.messages)) return through;
    if (messages[index + 1]?.turnNumber !== message.turnNumber) through = message.turnNumber;
  }
  return through;
}
