import { stripEnd, stripNext, STRIP_START } from './strip-stream.js';

/** The text of an otherwise empty thought. */
const DEFAULT_THOUGHT = 'First, I will check the information I need.';

const LABEL = /^(意図：|意図:|Intent:|intent:|Thinking:|thinking:)/;

/**
 * Removes think blocks for users who do not see thoughts (S0-25, 3.C-7). Not trimmed; `''` if only white space remains.
 * For streamed text see `stripNext`.
 */
export function stripThinkBlocks(text: string): string {
  const { state, visible } = stripNext(STRIP_START, text);
  return visible + stripEnd(state);
}

/** Formats text as a thought (3.C-8): strips a leading label and adds `<think>` tags unless they are there. */
export function toThoughtBlock(text: string): string {
  const thought = text.trim().replace(LABEL, '').trim() || DEFAULT_THOUGHT;
  if (thought.startsWith('<think>') && thought.endsWith('</think>')) return thought;
  return `<think>\n${thought}\n</think>`;
}
