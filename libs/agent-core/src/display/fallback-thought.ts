import { toThoughtBlock } from './think-blocks.js';

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
