import type { InputItem } from './input-item.js';

/** A user message with its index among the items. */
export interface UserTurn {
  readonly text: string;
  readonly index: number;
}

/** The last user message that satisfies `matches`, or null. */
export function lastUserTurn(
  items: readonly InputItem[],
  matches: (text: string) => boolean = () => true,
): UserTurn | null {
  const index = items.findLastIndex(
    (item) => item.type === 'message' && item.role === 'user' && matches(item.text),
  );
  const item = items[index];
  return item?.type === 'message' ? { text: item.text, index } : null;
}

/** Whether a model produced the item: its text, a call or reasoning. */
export function isModelItem(item: InputItem): boolean {
  switch (item.type) {
    case 'message':
      return item.role === 'assistant';
    case 'function_call':
    case 'reasoning':
      return true;
    case 'function_call_output':
      return false;
  }
}

/** Number of answers after `index`, that is of unbroken runs of model items; 0 in the first round. */
export function answersAfter(items: readonly InputItem[], index: number): number {
  return items.filter((item, at) => {
    const before = items[at - 1];
    return (
      at > index && isModelItem(item) && (at - 1 <= index || before === undefined || !isModelItem(before))
    );
  }).length;
}

/** Round of the request, counted from 1 since the user's last message. */
export function currentRound(items: readonly InputItem[]): number {
  return answersAfter(items, lastUserTurn(items)?.index ?? -1) + 1;
}
