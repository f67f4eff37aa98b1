import type { JsonValue } from '#libs/kernel';
import { stripThinkBlocks } from '../display/think-blocks.js';

export type JsonAnswer = { readonly success: true; readonly data: JsonValue } | { readonly success: false };

/** Models often wrap JSON in a Markdown code block. */
const BLOCK = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** Parses an answer as JSON, optionally in a Markdown code block and after think blocks (S0-25). */
export function readJsonAnswer(text: string): JsonAnswer {
  const read = readBareJson(text);
  return read.success ? read : readBareJson(stripThinkBlocks(text));
}

/** Parses an answer as JSON, optionally in a Markdown code block, with nothing before it. */
export function readBareJson(text: string): JsonAnswer {
  const trimmed = text.trim();
  try {
    return { success: true, data: JSON.parse(BLOCK.exec(trimmed)?.[1] ?? trimmed) as JsonValue };
  } catch {
    return { success: false };
  }
}
