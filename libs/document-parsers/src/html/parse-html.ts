import { Parser } from 'htmlparser2';
import { UnreadableDocumentError, type ParsedBlock } from '#libs/knowledge';
import { decodeText } from '../decode-text.js';
import type { ParseKind } from '../block-writer.js';
import { HtmlBlocks } from './html-blocks.js';

/** No page that people read is nested so deeply; what is would cost more the deeper it goes. */
const MAX_DEPTH = 1_000;
const PART_CHARS = 65_536;

/** What a reader of a page sees, without scripts, styles and navigation. */
export const parseHtml: ParseKind = async (bytes, write) => {
  const ready: ParsedBlock[] = [];
  const blocks = new HtmlBlocks((block) => ready.push(block));
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new UnreadableDocumentError('too_complex');
        blocks.open(name);
      },
      ontext: (text) => blocks.text(text),
      onclosetag: (name) => {
        depth -= 1;
        blocks.close(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  const text = decodeText(bytes);
  for (let at = 0; at < text.length; at += PART_CHARS) {
    parser.write(text.slice(at, at + PART_CHARS));
    for (const block of ready.splice(0)) await write(block);
  }
  parser.end();
  blocks.end();
  for (const block of ready) await write(block);
};
