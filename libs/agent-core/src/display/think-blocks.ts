import { stripEnd, stripNext, STRIP_START } from './strip-stream.js';

/** What a thought says that says nothing. */
const DEFAULT_THOUGHT = 'First, I will check the information I need.';

const LABEL = /^(意図：|意図:|Intent:|intent:|Thinking:|thinking:)/;

/**
 * A text as the user sees it who does not see thoughts (S0-25, 3.C-7). Not trimmed; `''` when only white space remains.
 * For a text that comes in pieces see `stripNext`.
 */
export function stripThinkBlocks(text: string): string {
  const { state, visible } = stripNext(STRIP_START, text);
  return visible + stripEnd(state);
}

/** A text as a thought (3.C-8): without the label before it, in `<think>` tags unless it already stands in them. */
export function toThoughtBlock(text: string): string {
  const thought = text.trim().replace(LABEL, '').trim() || DEFAULT_THOUGHT;
  if (thought.startsWith('<think>') && thought.endsWith('</think>')) return thought;
  return `<think>\n${thought}\n</think>`;
}
