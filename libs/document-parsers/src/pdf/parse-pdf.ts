import { getDocumentProxy } from 'unpdf';
import { UnreadableDocumentError, type DocumentFault } from '#libs/knowledge';
import type { ParseKind } from '../block-sink.js';
import { CharacterMaps } from './character-maps.js';
import { watchFonts } from './font-failures.js';
import { PageReader } from './page-reader.js';

/** Maximum pages, beyond that of any book. */
const MAX_PAGES = 20_000;

/** Faults by the error names of the PDF library. */
const FAULTS: Readonly<Record<string, DocumentFault>> = {
  PasswordException: 'encrypted',
  InvalidPDFException: 'damaged',
  FormatError: 'damaged',
  XRefParseException: 'damaged',
  UnknownErrorException: 'damaged',
};

/** Parses the text of the pages, in file order. Text within images is not read. */
export const parsePdf: ParseKind = async ({ bytes }, { write, warn }) => {
  const { value: pdf } = await watchFonts(() =>
    readable(() => getDocumentProxy(new Uint8Array(bytes), OPTIONS)),
  );
  if (pdf.numPages > MAX_PAGES) throw new UnreadableDocumentError('too_complex');
  const pages = new PageReader();
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { text, hasUnmapped } = await readable(async () => pages.read(await pdf.getPage(number)));
    if (hasUnmapped) warn('unmapped_glyphs', number);
    else if (text.trim() === '') warn('no_text_on_page', number);
    for (const paragraph of text.split(/\n[ \t]*\n/))
      await write({ kind: 'text', text: paragraph, page: number });
  }
};

const OPTIONS = {
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  cMapUrl: 'cmaps/',
  cMapPacked: true,
  BinaryDataFactory: CharacterMaps,
  /** Enables warnings, which report failed fonts. */
  verbosity: 1,
  /** Provides the mapping from glyphs to letters. */
  fontExtraProperties: true,
  /** Maximum pixels of a decoded image: disables decoding. */
  maxImageSize: 1,
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
