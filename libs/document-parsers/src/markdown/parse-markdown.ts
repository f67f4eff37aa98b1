import { lexer, type Token, type Tokens } from 'marked';
import type { BlockSink, ParseKind } from '../block-sink.js';
import { readText } from '../encoding/read-text.js';

type WriteBlock = BlockSink['write'];

/** Front matter: YAML between `---`, or TOML between `+++`. */
const FRONT_MATTER = /^(---|\+\+\+)[ \t]*\n(?:[^]*?\n)??\1[ \t]*(?:\n|$)/;

/** Parses CommonMark with GitHub tables; front matter is skipped. */
export const parseMarkdown: ParseKind = async (document, sink) => {
  const text = readText(document, sink).replace(FRONT_MATTER, '');
  for (const token of lexer(text)) await writeToken(token, sink.write);
};

async function writeToken(token: Token, write: WriteBlock): Promise<void> {
  switch (token.type) {
    case 'heading':
      await write({ kind: 'heading', level: (token as Tokens.Heading).depth, text: plain(token) });
      return;
    case 'table':
      await writeTable(token as Tokens.Table, write);
      return;
    case 'list':
      for (const item of (token as Tokens.List).items) await write({ kind: 'text', text: itemText(item) });
      return;
    case 'blockquote':
      for (const inner of (token as Tokens.Blockquote).tokens) await writeToken(inner, write);
      return;
    case 'space':
    case 'hr':
    case 'def':
      return;
    default:
      await write({ kind: 'text', text: plain(token) });
  }
}

async function writeTable({ header, rows }: Tokens.Table, write: WriteBlock): Promise<void> {
  const columns = header.map((cell) => plainAll(cell.tokens));
  for (const row of rows) {
    const cells = row.map((cell, index) => [columns[index] ?? '', plainAll(cell.tokens)] as const);
    await write({ kind: 'row', cells });
  }
}

function itemText({ tokens }: Tokens.ListItem): string {
  return `- ${tokens.map((token) => (token.type === 'list' ? nested(token as Tokens.List) : plain(token))).join('\n')}`;
}

function nested({ items }: Tokens.List): string {
  return items.map((item) => itemText(item).replace(/^/gm, '  ')).join('\n');
}

/** Visible text: links and emphasis as plain words, no HTML. */
function plain(token: Token): string {
  if (token.type === 'html') return '';
  if (token.type === 'br') return '\n';
  if ('tokens' in token && Array.isArray(token.tokens)) return plainAll(token.tokens);
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

function plainAll(tokens: readonly Token[]): string {
  return tokens.map(plain).join('');
}
