import { Parser } from 'htmlparser2';
import { UnreadableDocumentError, type ParsedBlock } from '#libs/knowledge';
import type { ParseKind } from '../block-sink.js';
import { charsetOfPage } from '../encoding/declared-charset.js';
import { readText } from '../encoding/read-text.js';
import { HtmlBlocks } from './html-blocks.js';
import { HidingStyles } from './hiding-styles.js';

/** Maximum nesting, beyond that of any real page, because the cost grows with depth. */
const MAX_DEPTH = 1_000;
const PART_CHARS = 65_536;

/** Parses the visible text of a page, without scripts, styles and navigation. */
export const parseHtml: ParseKind = async (document, sink) => {
  const text = readText(document, sink, charsetOfPage(document.bytes));
  const ready: ParsedBlock[] = [];
  const styles = HidingStyles.of(text);
  const blocks = new HtmlBlocks(
    (block) => ready.push(block),
    (tag, attributes) => styles.declarationsFor(tag, attributes),
  );
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new UnreadableDocumentError('too_complex');
        blocks.open(name, attributes);
      },
      ontext: (part) => blocks.text(part),
      onclosetag: (name) => {
        depth -= 1;
        blocks.close(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < text.length; at += PART_CHARS) {
    parser.write(text.slice(at, at + PART_CHARS));
    for (const block of ready.splice(0)) await sink.write(block);
  }
  parser.end();
  blocks.end();
  for (const block of ready) await sink.write(block);
};
