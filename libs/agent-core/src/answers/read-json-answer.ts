import type { JsonValue } from '#libs/kernel';
import { stripThinkBlocks } from '../display/think-blocks.js';

export type JsonAnswer = { readonly success: true; readonly data: JsonValue } | { readonly success: false };

/** Models like to put JSON into a block of Markdown. */
const BLOCK = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** The JSON that an answer is, also in a block of Markdown by itself, and behind what its model thought of it (S0-25). */
export function readJsonAnswer(text: string): JsonAnswer {
  const read = readBareJson(text);
  return read.success ? read : readBareJson(stripThinkBlocks(text));
}

/** The same of an answer with nothing before its JSON. */
export function readBareJson(text: string): JsonAnswer {
  const trimmed = text.trim();
  try {
    return { success: true, data: JSON.parse(BLOCK.exec(trimmed)?.[1] ?? trimmed) as JsonValue };
  } catch {
    return { success: false };
  }
}
