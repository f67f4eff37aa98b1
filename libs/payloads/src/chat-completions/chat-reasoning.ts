import type { JsonObject } from '#libs/kernel';

/** Fields in which servers send what a model reasoned; the API itself has none. */
export const REASONING_FIELDS = ['reasoning_content', 'reasoning'] as const;
export type ReasoningField = (typeof REASONING_FIELDS)[number];

export interface ChatReasoning {
  readonly field: ReasoningField;
  readonly text: string;
}

const ITEM_TYPE = 'chat_reasoning';

/**
 * What was reasoned before calls, kept so that it travels back with them: some servers refuse the round after a call without
 * it, and those that never sent it never get it.
 */
export function toReasoningItem({ field, text }: ChatReasoning): JsonObject {
  return { type: ITEM_TYPE, field, text };
}

/** Null for an item of anything else. */
export function readReasoningItem(item: JsonObject): ChatReasoning | null {
  const field = REASONING_FIELDS.find((known) => known === item['field']);
  const { type, text } = item;
  return type === ITEM_TYPE && field !== undefined && typeof text === 'string' ? { field, text } : null;
}
