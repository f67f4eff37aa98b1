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
function keptOf({ messages, tokens }: HistorySize): HistorySize {
  return { messages: Math.floor(messages / 2), tokens: Math.floor(tokens / 2) };
}

/** Whether a conversation exceeds its budget. */
export function isOutgrown(held: HistorySize, budget: HistorySize): boolean {
  return held.messages > budget.messages || held.tokens > budget.tokens;
}

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
