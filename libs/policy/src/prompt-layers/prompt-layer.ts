/** One part of a system prompt; null where this execution has none of it. */
export type PromptLayer = string | null;

/** A layer of several lines in its tag. */
export function inTag(tag: string, lines: readonly string[]): string {
  return [`<${tag}>`, ...lines, `</${tag}>`].join('\n');
}

/** Text from elsewhere, which can neither begin nor end a tag. */
export function withoutTags(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›');
}

/** Text from elsewhere as part of one line, so that it cannot begin a line or a tag of its own. */
export function onOneLine(text: string): string {
  return withoutTags(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim();
}
