import type { JsonValue } from '#libs/kernel';

export type JsonAnswer = { readonly success: true; readonly data: JsonValue } | { readonly success: false };

/** Models like to put JSON into a block of Markdown. */
const BLOCK = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** The JSON that an answer is, also where it stands in a block of Markdown by itself. */
export function readJsonAnswer(text: string): JsonAnswer {
  const trimmed = text.trim();
  try {
    return { success: true, data: JSON.parse(BLOCK.exec(trimmed)?.[1] ?? trimmed) as JsonValue };
  } catch {
    return { success: false };
  }
}
