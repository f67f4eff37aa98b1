import { chooseWindow, type CountedMessage, type HistoryWindow } from './choose-window.js';
import { keptOf, type HistorySize } from './history-limits.js';

/**
 * What stays word by word when a summary takes the place of the rest: the newest turns as far as half of the budget reaches,
 * and the last one also where it alone is longer than that.
 *
 * @param messages oldest first, the newest of the conversation among them
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
 * The last of the turns that one summary takes in: as many as a model is asked to read at once, and one at least, however
 * long it is. Null where there is none.
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
