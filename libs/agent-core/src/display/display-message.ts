/** A message that a round shows to the user, in order. */
export type DisplayMessage =
  /** The model's text, with its think blocks if thoughts are shown. */
  | { readonly kind: 'text'; readonly text: string }
  /** One `<think>` block: the model's text before its tool calls, or a fallback. */
  | { readonly kind: 'thought_block'; readonly text: string }
  /** Reasoning that the provider sends separately from the text; without tags. */
  | { readonly kind: 'thinking'; readonly text: string };

/** Display settings of a round. */
export interface DisplayRules {
  readonly emitIntermediateThoughts: boolean;
  /** Whether this is the last round within the iteration limit. */
  readonly isLastRound: boolean;
}

/** The text message that follows the tool calls of every round, with or without shown thoughts (3.B-6). */
export const TEXT_AFTER_TOOL_CALLS = '\n';

export function textMessages(text: string): readonly DisplayMessage[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}
