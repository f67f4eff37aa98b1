/** A fenced block of shell commands in a document. */
export interface ShellBlock {
  /** Path of the document from the root. */
  readonly document: string;
  /** The line of its first command in the document, from 1. */
  readonly line: number;
  readonly text: string;
  /** The word after the language, which marks a block that is not run like the others; null for none. */
  readonly word: string | null;
}

const FENCE = /^(?<indent> *)(?<ticks>`{3,})(?<language>[\w-]*)(?: +(?<word>[\w-]+))?\s*$/u;
const SHELLS = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

/** The shell blocks of a Markdown text, in order. A fence inside a block with more backticks belongs to its text. */
export function shellBlocks(document: string, markdown: string): ShellBlock[] {
  return fencedBlocks(markdown)
    .filter(({ language }) => SHELLS.has(language))
    .map(({ line, text, word }) => ({ document, line, text, word }));
}

/** All fenced blocks; `language` is empty for a block without one. */
export function fencedBlocks(markdown: string) {
  const blocks: { language: string; word: string | null; line: number; text: string }[] = [];
  const lines = markdown.split('\n');
  for (let index = 0; index < lines.length; index += 1) {
    const { indent = '', ticks = '', language = '', word } = FENCE.exec(lines[index] ?? '')?.groups ?? {};
    if (ticks === '') continue;
    const end = lines.findIndex((line, at) => at > index && line.trim() === ticks);
    const inside = lines.slice(index + 1, end === -1 ? undefined : end);
    const text = inside
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
      .join('\n');
    blocks.push({ language, word: word ?? null, line: index + 2, text });
    if (end === -1) break;
    index = end;
  }
  return blocks;
}
