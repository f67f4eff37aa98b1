import type { InputItem } from './input-item.js';

/** A user's message and where it lies among the items. */
export interface UserTurn {
  readonly text: string;
  readonly index: number;
}

/** The last message of the user for which `matches` holds, or null. */
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

/** What came from a model: its text, its calls and its reasoning. */
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

/** How many answers the model gave after `index`: unbroken runs of its items. 0 in the first round. */
export function answersAfter(items: readonly InputItem[], index: number): number {
  return items.filter((item, at) => {
    const before = items[at - 1];
    return (
      at > index && isModelItem(item) && (at - 1 <= index || before === undefined || !isModelItem(before))
    );
  }).length;
}

/** The round that is being asked for, counted from 1 since the user's last message. */
export function currentRound(items: readonly InputItem[]): number {
  return answersAfter(items, lastUserTurn(items)?.index ?? -1) + 1;
}
