import {
  textMessages,
  type DisplayMessage,
  type DisplayRules,
  shouldEmitResponseText,
} from './display-message.js';
import { fallbackThought, toThoughtBlock } from './think-blocks.js';
import { STRIP_START, stripEnd, stripNext, type StripState } from './strip-stream.js';

/** A chunk of a streamed answer. Missing content counts as empty (S1-67, 3.C-10). */
export type RoundDelta =
  | { readonly kind: 'text' | 'thinking'; readonly content: string | null | undefined }
  /** The model has begun to call a tool. */
  | { readonly kind: 'tool_call' };

/** Display progress of one try of a streamed round. */
export type DisplayState =
  | {
      readonly mode: 'shown';
      /** Whether any text or thinking other than white space was shown. */
      readonly hasSpoken: boolean;
      /** Text after the first tool call; null before that call. */
      readonly late: string | null;
    }
  | {
      readonly mode: 'hidden';
      readonly isLastRound: boolean;
      readonly strip: StripState;
      readonly visible: string;
    };

export interface DisplayStep {
  readonly state: DisplayState;
  readonly messages: readonly DisplayMessage[];
}

/** Each try of a model call starts with a fresh display state. */
export function startDisplay({ emitIntermediateThoughts, isLastRound }: DisplayRules): DisplayState {
  if (emitIntermediateThoughts) return { mode: 'shown', hasSpoken: false, late: null };
  return { mode: 'hidden', isLastRound, strip: STRIP_START, visible: '' };
}

/**
 * Adds the next chunk. If thoughts are shown, text is emitted at once until the first tool call (3.C-1, 3.C-3).
 * Otherwise nothing is emitted before the round is known to call no tools (3.C-2), and hidden text is not kept.
 */
export function displayDelta(state: DisplayState, delta: RoundDelta): DisplayStep {
  if (delta.kind === 'tool_call') return { state: seeToolCall(state), messages: [] };
  const content = delta.content ?? '';
  if (content === '') return { state, messages: [] };
  if (state.mode === 'hidden') return { state: hide(state, delta.kind, content), messages: [] };
  const spoken = { ...state, hasSpoken: state.hasSpoken || content.trim() !== '' };
  if (delta.kind === 'thinking') return { state: spoken, messages: [{ kind: 'thinking', text: content }] };
  if (state.late !== null) return { state: { ...spoken, late: state.late + content }, messages: [] };
  return { state: spoken, messages: textMessages(content) };
}

/**
 * Ends the display when the answer is complete or was abandoned. `toolNames` lists the usable calls in order: without
 * any, the round counts as one without tool calls, even if the model began some.
 */
export function endDisplay(state: DisplayState, toolNames: readonly string[]): readonly DisplayMessage[] {
  const hasToolCalls = toolNames.length > 0;
  if (state.mode === 'hidden') {
    const situation = { hasToolCalls, emitIntermediateThoughts: false, isLastRound: state.isLastRound };
    return shouldEmitResponseText(situation) ? textMessages(state.visible + stripEnd(state.strip)) : [];
  }
  const late = state.late ?? '';
  if (!hasToolCalls) return textMessages(late);
  if (late.trim() !== '') return [{ kind: 'thought_block', text: toThoughtBlock(late) }];
  return state.hasSpoken ? [] : [{ kind: 'thought_block', text: fallbackThought(toolNames) }];
}

function seeToolCall(state: DisplayState): DisplayState {
  return state.mode === 'shown' ? { ...state, late: state.late ?? '' } : state;
}

function hide(
  state: Extract<DisplayState, { mode: 'hidden' }>,
  kind: 'text' | 'thinking',
  content: string,
): DisplayState {
  if (kind === 'thinking') return state;
  const { state: strip, visible } = stripNext(state.strip, content);
  return { ...state, strip, visible: state.visible + visible };
}
