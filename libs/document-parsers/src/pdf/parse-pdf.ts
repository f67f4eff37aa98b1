import { getDocumentProxy } from 'unpdf';
import { UnreadableDocumentError, type DocumentFault } from '#libs/knowledge';
import type { ParseKind } from '../block-sink.js';
import { CharacterMaps } from './character-maps.js';
import { watchFonts } from './font-failures.js';
import { PageReader } from './page-reader.js';

/** More than any book has; each costs at least a moment. */
const MAX_PAGES = 20_000;

/** The names of errors of the reader of PDF. */
const FAULTS: Readonly<Record<string, DocumentFault>> = {
  PasswordException: 'encrypted',
  InvalidPDFException: 'damaged',
  FormatError: 'damaged',
  XRefParseException: 'damaged',
  UnknownErrorException: 'damaged',
};

/** The texts of the pages, in the order of the file. Pictures of texts are not read. */
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
  /** Warnings: one of them is that a font failed. */
  verbosity: 1,
  /** Fonts say which letters their glyphs are. */
  fontExtraProperties: true,
  /** Pixels of the largest picture that is decoded: none is. */
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
