/** Something a user sees of a round, in order. */
export type DisplayMessage =
  /** Text of the model, with its think blocks where thoughts are shown. */
  | { readonly kind: 'text'; readonly text: string }
  /** A text message that is one `<think>` block: what the model said before it called tools, or what stands in for it. */
  | { readonly kind: 'thought_block'; readonly text: string }
  /** Reasoning that the provider sends apart from the text; without tags. */
  | { readonly kind: 'thinking'; readonly text: string };

/** What decides how a round is shown. */
export interface DisplayRules {
  readonly emitIntermediateThoughts: boolean;
  /** Is this the last round that the limit of iterations permits? */
  readonly isLastRound: boolean;
}

/** A text message after the tool calls of a round, whatever is shown of thoughts (3.B-6). */
export const TEXT_AFTER_TOOL_CALLS = '\n';

export function textMessages(text: string): readonly DisplayMessage[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}
