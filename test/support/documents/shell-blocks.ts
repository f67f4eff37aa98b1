/** A fenced block of a document whose language is a shell. */
export interface ShellBlock {
  /** Path of the document from the root. */
  readonly document: string;
  /** Of its first line of text, from 1. */
  readonly line: number;
  readonly text: string;
  /** The word after the language, by which a document says that the block is not run like the others; null for none. */
  readonly word: string | null;
}

const FENCE = /^(?<indent> *)(?<ticks>`{3,})(?<language>[\w-]*)(?: +(?<word>[\w-]+))?\s*$/u;
const SHELLS = new Set(['sh', 'bash', 'shell', 'console', 'zsh']);

/** The shell blocks of a Markdown text, in order. Fences inside a block of more backticks belong to its text. */
export function shellBlocks(document: string, markdown: string): ShellBlock[] {
  return fencedBlocks(markdown)
    .filter(({ language }) => SHELLS.has(language))
    .map(({ line, text, word }) => ({ document, line, text, word }));
}

/** Every fenced block, whatever its language; without one it is empty. */
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
