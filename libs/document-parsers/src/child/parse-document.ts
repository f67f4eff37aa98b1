import { UnreadableDocumentError, type DocumentKind, type DocumentWarning } from '#libs/knowledge';
import type { BlockSink, DocumentBytes, ParseKind } from '../block-sink.js';
import { BoundedWriter } from '../bounded-writer.js';
import { parseCsv } from '../csv/parse-csv.js';
import { parseDocx } from '../docx/parse-docx.js';
import { parseHtml } from '../html/parse-html.js';
import { parseMarkdown } from '../markdown/parse-markdown.js';
import { parsePdf } from '../pdf/parse-pdf.js';
import { parseText } from '../text/parse-text.js';

const PARSERS: Readonly<Record<DocumentKind, ParseKind>> = {
  markdown: parseMarkdown,
  html: parseHtml,
  pdf: parsePdf,
  docx: parseDocx,
  csv: parseCsv,
  text: parseText,
};

/**
 * Parses a document of this kind, and returns warnings on text that no block contains. Throws
 * `UnreadableDocumentError`, also for a document without text.
 */
export async function parseDocument(
  kind: DocumentKind,
  document: DocumentBytes,
  maxChars: number,
  write: BlockSink['write'],
): Promise<readonly DocumentWarning[]> {
  const writer = new BoundedWriter(write, maxChars);
  try {
    await PARSERS[kind](document, writer);
  } catch (error) {
    // Stack overflow or maximum string length: the document is nested too deeply or too long.
    if (error instanceof RangeError) throw new UnreadableDocumentError('too_complex');
    throw error;
  }
  if (writer.isEmpty) throw new UnreadableDocumentError('no_text');
  return writer.warnings.list();
}
