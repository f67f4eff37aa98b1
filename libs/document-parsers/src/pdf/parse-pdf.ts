import { getDocumentProxy } from 'unpdf';
import { UnreadableDocumentError, type DocumentFault } from '#libs/knowledge';
import type { ParseKind } from '../block-writer.js';

/** More than any book has; each costs at least a moment. */
const MAX_PAGES = 20_000;

/** What the reader of PDF throws, by its name. */
const FAULTS: Readonly<Record<string, DocumentFault>> = {
  PasswordException: 'encrypted',
  InvalidPDFException: 'damaged',
  FormatError: 'damaged',
  XRefParseException: 'damaged',
  UnknownErrorException: 'damaged',
};

/** The texts of the pages, in the order of the file. Pictures of texts are not read. */
export const parsePdf: ParseKind = async (bytes, write) => {
  const pdf = await readable(() =>
    getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 }),
  );
  if (pdf.numPages > MAX_PAGES) throw new UnreadableDocumentError('too_complex');
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await readable(async () => {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      page.cleanup();
      return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    });
    for (const paragraph of text.split(/\n[ \t]*\n/))
      await write({ kind: 'text', text: paragraph, page: number });
  }
};

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const fault = error instanceof Error ? FAULTS[error.name] : undefined;
    if (fault !== undefined) throw new UnreadableDocumentError(fault);
    throw error;
  }
}
