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

const MAX_NAMES = 3;
const MAX_NAME = 64;

/**
 * The thought of a round that calls tools without any text (S1-66, 3.C-9): one sentence that names each tool once, in
 * call order. Only characters that are valid in tool names are repeated, since the names come from the model.
 */
export function fallbackThought(toolNames: readonly string[]): string {
  const names = [...new Set(toolNames.map(toName).filter((name) => name !== ''))];
  return toThoughtBlock(sentence(names));
}

function sentence(names: readonly string[]): string {
  if (names.length === 0) return '';
  if (names.length === 1) return `First, I will check the information I need with the tool ${names.join()}.`;
  const rest = names.length > MAX_NAMES ? '...' : '';
  const listed = names.slice(0, MAX_NAMES).join(', ') + rest;
  return `To get the information I need, I will check with these tools in turn: ${listed}`;
}

function toName(text: string): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '').slice(0, MAX_NAME);
}
