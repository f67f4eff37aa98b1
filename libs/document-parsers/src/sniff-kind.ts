import { UnreadableDocumentError, type DocumentHints, type DocumentKind } from '#libs/knowledge';
import { unmarkedUtf16Of, utf16Of } from './encoding/utf16.js';

const BY_EXTENSION: Readonly<Record<string, DocumentKind>> = {
  ...{ md: 'markdown', markdown: 'markdown', mdx: 'markdown' },
  ...{ html: 'html', htm: 'html', xhtml: 'html' },
  ...{ pdf: 'pdf', docx: 'docx', csv: 'csv', tsv: 'csv', txt: 'text', text: 'text' },
};
const BY_MEDIA_TYPE: Readonly<Record<string, DocumentKind>> = {
  'text/markdown': 'markdown',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
};

/** OLE container: Office files before 2007, and encrypted newer ones. */
export const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED_OLE = Buffer.from('EncryptedPackage', 'utf16le');
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1');
/** Usual prefix of a Word document's main part; names in an archive are uncompressed. */
export const WORD_PART = Buffer.from('word/document');
/** A part of every Office package (ECMA-376, part 2, 10.1). */
const CONTENT_TYPES = Buffer.from('[Content_Types].xml');
const RTF = Buffer.from('{\\rtf');
/** Maximum offset of the PDF header (ISO 32000-1, 7.5.2, note). */
const PDF_WITHIN = 1_024;
/** Number of leading bytes checked for binary content. */
export const LOOKED_AT = 8_192;

/**
 * Detects a document's kind from its bytes; the client's hints only distinguish text kinds. Throws an
 * `UnreadableDocumentError`: `empty`, `encrypted`, `unsupported_type` or `wrong_type`.
 */
export function sniffKind(bytes: Buffer, hints: DocumentHints): DocumentKind {
  if (bytes.length === 0) throw new UnreadableDocumentError('empty');
  const hinted = hintedKind(hints);
  const found = binaryKind(bytes, hinted);
  if (found !== null) return found;
  if (hinted === 'pdf' || hinted === 'docx') throw new UnreadableDocumentError('wrong_type');
  if (!looksLikeText(bytes)) throw new UnreadableDocumentError('unsupported_type');
  return hinted ?? (looksLikeHtml(bytes) ? 'html' : 'text');
}

/** Document kind according to the client's hints; null if unsupported. The file extension takes precedence. */
export function hintedKind({ fileName, mediaType }: DocumentHints): DocumentKind | null {
  const extension = /\.([a-z0-9]+)$/i.exec(fileName ?? '')?.[1]?.toLowerCase() ?? '';
  const type = (mediaType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? BY_MEDIA_TYPE[type] ?? null;
}

function binaryKind(bytes: Buffer, hinted: DocumentKind | null): DocumentKind | null {
  if (isPdf(bytes)) return 'pdf';
  // RTF is ASCII, but its control words are no text.
  if (startsWith(bytes, RTF)) throw new UnreadableDocumentError('unsupported_type');
  if (startsWith(bytes, OLE)) {
    throw new UnreadableDocumentError(bytes.includes(ENCRYPTED_OLE) ? 'encrypted' : 'unsupported_type');
  }
  if (!isZip(bytes)) return null;
  if (bytes.includes(WORD_PART) || (hinted === 'docx' && bytes.includes(CONTENT_TYPES))) return 'docx';
  throw new UnreadableDocumentError('unsupported_type');
}

export function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return bytes.subarray(0, magic.length).equals(magic);
}

export function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, PDF_WITHIN).includes('%PDF-');
}

export function isZip(bytes: Buffer): boolean {
  return startsWith(bytes, ZIP) || startsWith(bytes, EMPTY_ZIP);
}

/** UTF-8 text contains no NUL byte; UTF-16 text may. */
export function looksLikeText(bytes: Buffer): boolean {
  const head = bytes.subarray(0, LOOKED_AT);
  return utf16Of(head) !== null || unmarkedUtf16Of(head) !== null || !head.includes(0);
}

export function looksLikeHtml(bytes: Buffer): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html)\b/i.test(bytes.toString('latin1', 0, 512));
}
