/** A line that contains the wanted text. */
export interface MatchingLine {
  /** From 1. */
  readonly line: number;
  /** Characters before the line, from 0. */
  readonly offset: number;
  /** The line, at most 200 characters of it. */
  readonly text: string;
}

const MAX_LINE = 200;

/** Finds the lines that contain a text, regardless of case; at most `most`. */
export function findLines(content: string, wanted: string, most: number): MatchingLine[] {
  const found: MatchingLine[] = [];
  const lower = wanted.toLowerCase();
  let offset = 0;
  for (const [index, line] of content.split('\n').entries()) {
    if (found.length === most) break;
    if (line.toLowerCase().includes(lower))
      found.push({ line: index + 1, offset, text: line.slice(0, MAX_LINE).toWellFormed() });
    offset += line.length + 1;
  }
  return found;
}

/** The text of a file; null if it is no UTF-8 or contains NUL. */
export function textOfBytes(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Part of a text, and the offset of the rest; null without a rest. */
export interface TextPart {
  readonly text: string;
  readonly next: number | null;
}

/** The part from `offset`, at most `most` characters; splits no character at its end. */
export function partOf(text: string, offset: number, most: number): TextPart {
  let end = Math.min(text.length, offset + most);
  const isSplit = end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  if (isSplit && end - 1 > offset) end -= 1;
  return { text: text.slice(offset, end).toWellFormed(), next: end < text.length ? end : null };
}
