import { Parser } from 'htmlparser2';
import { UnreadableDocumentError, type ParsedBlock } from '#libs/knowledge';
import type { ParseKind } from '../block-writer.js';
import { DocxBlocks } from './docx-blocks.js';
import { openPart } from './open-part.js';

/** Word itself nests tables in tables, and these in text boxes; nobody gets as deep as this. */
const MAX_DEPTH = 500;

/** The text of a Word document (ECMA-376): paragraphs, headings by their style, rows of tables. */
export const parseDocx: ParseKind = async (bytes, write) => {
  const ready: ParsedBlock[] = [];
  const blocks = new DocxBlocks((block) => ready.push(block));
  let depth = 0;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1;
        if (depth > MAX_DEPTH) throw new UnreadableDocumentError('too_complex');
        blocks.open(name, attributes);
      },
      ontext: (text) => blocks.text(text),
      onclosetag: (name) => {
        depth -= 1;
        blocks.close(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder('utf-8');
  for await (const part of openPart(bytes, 'word/document.xml')) {
    parser.write(decoder.decode(part, { stream: true }));
    for (const block of ready.splice(0)) await write(block);
  }
  parser.end();
  for (const block of ready) await write(block);
};
