import type { DocumentHints, DocumentKind } from '#libs/knowledge';
import {
  hintedKind,
  isPdf,
  isZip,
  LOOKED_AT,
  looksLikeHtml,
  looksLikeText,
  OLE,
  startsWith,
  WORD_PART,
} from './sniff-kind.js';

const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

const OF_KIND: Readonly<Record<DocumentKind, string>> = {
  markdown: 'text/markdown',
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  text: 'text/plain',
};

const IMAGES: readonly (readonly [mediaType: string, isIt: (head: Buffer) => boolean])[] = [
  ['image/png', (head) => startsWith(head, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (head) => startsWith(head, Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/webp', (head) => /^RIFF[^]{4}WEBP/.test(head.toString('latin1', 0, 12))],
];

/**
 * Detects a file's media type while its bytes pass through, keeping only the first ones. The client's hints decide only
 * between text types.
 */
export class MediaTypeReader {
  private head = Buffer.alloc(0);
  /** End of the previous part, because the searched name may span two parts. */
  private seam = Buffer.alloc(0);
  private hasWordPart = false;

  add(part: Uint8Array): void {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (this.head.length < LOOKED_AT)
      this.head = Buffer.concat([this.head, bytes.subarray(0, LOOKED_AT - this.head.length)]);
    if (this.hasWordPart || !isZip(this.head)) return;
    const joined = Buffer.concat([this.seam, bytes]);
    this.hasWordPart = joined.includes(WORD_PART);
    this.seam = joined.subarray(Math.max(0, joined.length - WORD_PART.length + 1));
  }

  /** Call after the last bytes. */
  read(hints: DocumentHints): string {
    const { head } = this;
    const image = IMAGES.find(([, isIt]) => isIt(head));
    if (image !== undefined) return image[0];
    if (isPdf(head)) return OF_KIND.pdf;
    if (isZip(head)) return this.hasWordPart ? OF_KIND.docx : 'application/zip';
    if (startsWith(head, OLE) || !looksLikeText(head)) return UNKNOWN_MEDIA_TYPE;
    const hinted = hintedKind(hints);
    if (hinted !== null && hinted !== 'pdf' && hinted !== 'docx') return OF_KIND[hinted];
    return OF_KIND[looksLikeHtml(head) ? 'html' : 'text'];
  }
}
