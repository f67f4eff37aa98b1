import { textMessages, type DisplayMessage, type DisplayRules } from './display-message.js';
import { fallbackThought } from './fallback-thought.js';
import { shouldEmitResponseText } from './should-emit-response-text.js';
import { STRIP_START, stripEnd, stripNext, type StripState } from './strip-stream.js';
import { toThoughtBlock } from './think-blocks.js';

/** A piece of a streamed answer. Content that is missing adds nothing (S1-67, 3.C-10). */
export type RoundDelta =
  | { readonly kind: 'text' | 'thinking'; readonly content: string | null | undefined }
  /** The model has begun to call a tool. */
  | { readonly kind: 'tool_call' };

/** How far one try of a streamed round has been shown. */
export type DisplayState =
  | {
      readonly mode: 'shown';
      /** Was there any text or thinking but white space? */
      readonly hasSpoken: boolean;
      /** Text that came after the first tool call; null while there was none. */
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

/** Every try of a model call begins anew. */
export function startDisplay({ emitIntermediateThoughts, isLastRound }: DisplayRules): DisplayState {
  if (emitIntermediateThoughts) return { mode: 'shown', hasSpoken: false, late: null };
  return { mode: 'hidden', isLastRound, strip: STRIP_START, visible: '' };
}

/**
 * Takes the next piece. Where thoughts are shown, text goes out as it comes until a tool is called (3.C-1, 3.C-3);
 * where they are not, nothing goes out before it is known whether the round calls tools (3.C-2), and what is hidden is
 * not even kept.
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
 * The answer is over, or was given up with what there is. `toolNames` are those of the usable calls in their order: a
 * round without any is one without tool calls, whatever was begun.
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
