import { describe, expect, it } from '@jest/globals';
import { MediaTypeReader } from './media-type.js';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');
const PNG = latin('\x89PNG\r\n\x1a\nrest');
const DOCX = latin(`PK\x03\x04${'x'.repeat(20_000)}word/document.xml and more`);
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function read(bytes: Uint8Array, fileName: string | null = null, partBytes = bytes.length): string {
  const reader = new MediaTypeReader();
  for (let at = 0; at < bytes.length; at += partBytes) reader.add(bytes.subarray(at, at + partBytes));
  return reader.read({ fileName, mediaType: null });
}

describe('the type of a file', () => {
  it.each<[string, Uint8Array, string | null, string]>([
    ['a PNG', PNG, null, 'image/png'],
    ['a PNG that is called a text', PNG, 'notes.txt', 'image/png'],
    ['a JPEG', latin('\xff\xd8\xff\xe0\x00'), null, 'image/jpeg'],
    ['a GIF', latin('GIF89a\x01\x00'), null, 'image/gif'],
    ['a WebP', latin('RIFF\x10\x00\x00\x00WEBPVP8 '), null, 'image/webp'],
    [
      'a sound that begins like a WebP',
      latin('RIFF\x10\x00\x00\x00WAVEfmt '),
      null,
      'application/octet-stream',
    ],
    ['a PDF', latin('%PDF-1.7\n'), null, 'application/pdf'],
    ['a PDF with something before it', latin(`${'\n'.repeat(900)}%PDF-1.7\n`), 'a.txt', 'application/pdf'],
    ['a text that is called a PDF', latin('Hello'), 'a.pdf', 'text/plain'],
    ['a text that is called an image', latin('Hello'), 'a.png', 'text/plain'],
    ['a Word document', DOCX, null, WORD],
    ['another archive', latin('PK\x03\x04 a.txt'), 'a.docx', 'application/zip'],
    [
      'an old Office document',
      latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
      'a.txt',
      'application/octet-stream',
    ],
    ['a program', latin('\x7fELF\x02\x01\x01\x00'), 'a.md', 'application/octet-stream'],
    ['a text', latin('Hello'), null, 'text/plain'],
    ['Markdown by its name', latin('# Hello'), 'a.md', 'text/markdown'],
    ['CSV by its name', latin('a,b'), 'a.csv', 'text/csv'],
    ['a page by its bytes', latin('<!doctype html><p>Hello'), null, 'text/html'],
    ['UTF-16 with its mark', latin('\xff\xfeH\x00i\x00'), null, 'text/plain'],
  ])('%s', (_what, bytes, fileName, mediaType) => {
    expect(read(bytes, fileName)).toBe(mediaType);
    expect(read(bytes, fileName, 1)).toBe(mediaType);
  });

  it('is found wherever the parts of a request end', () => {
    const cut = DOCX.indexOf('word/document.xml') + 5;
    expect(read(DOCX, null, cut)).toBe(WORD);
  });

  it('is the declared type only between types of text', () => {
    const reader = new MediaTypeReader();
    reader.add(latin('a,b'));
    expect(reader.read({ fileName: null, mediaType: 'text/csv; charset=utf-8' })).toBe('text/csv');
    expect(reader.read({ fileName: null, mediaType: 'image/png' })).toBe('text/plain');
  });
});
