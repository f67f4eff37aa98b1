import type { ParsedBlock } from '#libs/knowledge';
import type { ParseKind } from '../block-sink.js';
import { DocxBlocks } from './docx-blocks.js';
import { DocxNotes } from './docx-notes.js';
import { readXml } from './read-xml.js';
import { WordPackage } from './word-package.js';

/** Parses a Word document (ECMA-376): paragraphs, headings by style, table rows, text boxes, formulas and notes. */
export const parseDocx: ParseKind = async ({ bytes }, { write, warn }) => {
  const word = await WordPackage.open(bytes);
  const mainPart = await word.mainPart();
  const notes = new DocxNotes();
  await notes.read(word, mainPart);
  if (notes.isCut) warn('truncated');
  const ready: ParsedBlock[] = [];
  const blocks = new DocxBlocks(
    (block) => ready.push(block),
    (kind, id) => notes.take(kind, id),
  );
  await readXml(word.read(mainPart), blocks, async () => {
    for (const block of ready.splice(0)) await write(block);
  });
};
