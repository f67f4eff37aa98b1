import { textMessages, type DisplayMessage, type DisplayRules } from './display-message.js';
import { fallbackThought, stripThinkBlocks, toThoughtBlock } from './think-blocks.js';
import { STRIP_START, stripEnd, stripNext } from './strip-stream.js';

/** An answer that was not streamed. */
export interface WholeAnswer {
  /** Text parts; empty if the answer has no message (3.C-10). */
  readonly parts: readonly string[];
  readonly thinking: string;
  /** Tool names of the usable calls, in order. */
  readonly toolNames: readonly string[];
}

/** The messages that a round without streaming shows to the user (3.C-4 … 3.C-6). */
export function displayWholeRound(answer: WholeAnswer, rules: DisplayRules): readonly DisplayMessage[] {
  return rules.emitIntermediateThoughts ? show(answer) : hide(answer, rules.isLastRound);
}

function show({ parts, thinking, toolNames }: WholeAnswer): DisplayMessage[] {
  const hasThinking = thinking.trim() !== '';
  const thoughts: DisplayMessage[] = hasThinking ? [{ kind: 'thinking', text: thinking }] : [];
  if (toolNames.length === 0) return [...thoughts, ...parts.flatMap(textMessages)];
  const text = joined(parts);
  if (text.trim() !== '') return [...thoughts, { kind: 'thought_block', text: toThoughtBlock(text) }];
  return hasThinking ? thoughts : [{ kind: 'thought_block', text: fallbackThought(toolNames) }];
}

function hide({ parts, toolNames }: WholeAnswer, isLastRound: boolean): readonly DisplayMessage[] {
  if (toolNames.length === 0) return stripParts(parts).flatMap(textMessages);
  return isLastRound ? textMessages(stripThinkBlocks(joined(parts))) : [];
}

/** Strips each part separately; a think block that spans two parts is hidden in both. */
function stripParts(parts: readonly string[]): string[] {
  let state = STRIP_START;
  const visible = parts.map((part) => {
    const stripped = stripNext(state, part);
    state = stripped.state;
    return stripped.visible;
  });
  return [...visible.slice(0, -1), (visible.at(-1) ?? '') + stripEnd(state)];
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
