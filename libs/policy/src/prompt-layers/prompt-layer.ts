/** One part of a system prompt; null if this execution has none. */
export type PromptLayer = string | null;

/** Puts a layer of several lines into its tag. */
export function inTag(tag: string, lines: readonly string[]): string {
  return [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
}

/** Neutralizes foreign text, so that it can neither open nor close a tag. */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** Puts foreign text on one line, so that it can begin neither a line nor a tag. */
export function onOneLine(text: string): string {
  return withoutTags(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim();
}
