import { UnreadableDocumentError } from '#libs/knowledge';
import { detectEncoding } from './detect-encoding.js';
import { unmarkedUtf16Of, utf16Of } from './utf16.js';

export interface DecodedText {
  /** Text without a byte order mark, with line feeds as line ends. */
  readonly text: string;
  /** True if some bytes were invalid and became U+FFFD. */
  readonly hasUnknown: boolean;
}

/** Maximum bytes inspected. */
const SAMPLE_BYTES = 1_048_576;
/** Minimum valid non-ASCII characters per invalid one in UTF-8. */
const GOOD_PER_BROKEN = 10;
/** Single-byte encodings, in which every byte sequence is valid. */
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8|macintosh|x-mac|ibm866)/;

/**
 * Decodes a text: by its byte order mark, else by its declared encoding, else as UTF-8, else by detection. A
 * declaration that contradicts the bytes is ignored. Throws `encoding` if no encoding is plausible.
 */
export function decodeText(bytes: Buffer, declared: string | null): DecodedText {
  const marked = utf16Of(bytes) ?? (hasUtf8Mark(bytes) ? 'utf-8' : null);
  if (marked !== null) return decoded(bytes, marked);
  const label = encodingOf(declared);
  const utf8 = decodeFatally(bytes, 'utf-8');
  const isUtf8 = utf8 !== null && /[^\0-\x7f]/.test(utf8);
  if (label !== null && !(isUtf8 && SINGLE_BYTE.test(label))) {
    const text = decodeFatally(bytes, label);
    if (text !== null && !text.includes('\0')) return { text: plain(text), hasUnknown: false };
  }
  const unmarked = unmarkedUtf16Of(bytes);
  if (unmarked !== null) return decoded(bytes, unmarked);
  const detected = utf8 === null || utf8.includes('\x1b') ? detectEncoding(bytes) : null;
  if (utf8 !== null && detected !== 'iso-2022-jp') return { text: plain(utf8), hasUnknown: false };
  if (utf8 === null && isMostlyUtf8(bytes)) return decoded(bytes, 'utf-8');
  if (detected === null) throw new UnreadableDocumentError('encoding');
  return decoded(bytes, detected);
}

function decoded(bytes: Buffer, encoding: string): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes);
  return { text: plain(text), hasUnknown: text.includes('\ufffd') };
}

function decodeFatally(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** True for UTF-8 with a few invalid bytes, e.g. of a truncated file. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, SAMPLE_BYTES));
  const broken = text.split('\ufffd').length - 1;
  const beyondAscii = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  return beyondAscii - broken >= broken * GOOD_PER_BROKEN;
}

function hasUtf8Mark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Null for labels unknown to the WHATWG standard. */
function encodingOf(label: string | null): string | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return null;
  }
}

function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
