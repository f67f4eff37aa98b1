import { UnreadableDocumentError } from '#libs/knowledge';

const UTF_16 = [
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
] as const;

/** Is this UTF-16, by the mark at its beginning? */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  return UTF_16.find(({ mark }) => bytes.subarray(0, 2).equals(mark))?.encoding ?? null;
}

/** UTF-8, or UTF-16 with its mark, without the mark and with plain line ends. Throws `encoding` where it is neither. */
export function decodeText(bytes: Buffer): string {
  try {
    const text = new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
    return text.replace(/\r\n?/g, '\n');
  } catch {
    throw new UnreadableDocumentError('encoding');
  }
}
