import { stripThinkBlocks } from './think-blocks.js';

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

interface ResponseTextSituation extends DisplayRules {
  readonly hasToolCalls: boolean;
}

/** Whether the user sees the text of a round (S0-28 … S0-30). */
export function shouldEmitResponseText(situation: ResponseTextSituation): boolean {
  return !situation.hasToolCalls || situation.emitIntermediateThoughts || situation.isLastRound;
}

/**
 * The part of a model's response that its user may see (S0-25 … S0-27), for the stored message and the data of `log`
 * events. The journal keeps the full text for the model.
 */
export function visibleResponse(response: string, situation: ResponseTextSituation): string {
  if (situation.emitIntermediateThoughts) return response;
  return shouldEmitResponseText(situation) ? stripThinkBlocks(response) : '';
}
