import { describe, expect, it } from '@jest/globals';
import { charsetOfMediaType, charsetOfPage } from './declared-charset.js';
import { decodeText } from './decode-text.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const bytes = (hex: string): Buffer => Buffer.from(hex.replace(/ /g, ''), 'hex');

describe('a text', () => {
  it.each<[string, Buffer, string]>([
    ['in UTF-8', Buffer.from('Größe 語'), 'Größe 語'],
    ['in UTF-8 with its mark', Buffer.from('\ufeffa\r\nb\rc'), 'a\nb\nc'],
    ['in UTF-16 with its mark', bytes('fffe 9e8a'), '語'],
    ['in UTF-16, big end first, with its mark', bytes('feff 8a9e'), '語'],
    ['in UTF-16 without a mark', Buffer.from('Ünïcode, 語', 'utf16le'), 'Ünïcode, 語'],
    [
      'in Windows-1252',
      latin1('Die Stra\xdfe hei\xdft K\xf6nigsweg \x96 sch\xf6n'),
      'Die Straße heißt Königsweg – schön',
    ],
    ['in Windows-1252, one word', latin1('caf\xe9'), 'café'],
    ['in Windows-1252, with one sign', latin1('5 \xb1 1'), '5 ± 1'],
    [
      'in Windows-1250',
      bytes('5a61bff3b3e62067ea9c6cb9206a619ff12e2050726f737aea207ab36fbf79e620776e696f73656b2e'),
      'Zażółć gęślą jaźń. Proszę złożyć wniosek.',
    ],
    [
      'in Windows-1251',
      bytes('c8ec ff3b c3ee f0ee e40a c8e2 e0ed 3bcc eef1 eae2 e0'),
      'Имя;Город\nИван;Москва',
    ],
    ['in Shift-JIS', bytes('96bc914f2c9373 8e730a9363 92862c93 8c8b9e'), '名前,都市\n田中,東京'],
    ['in GB 18030', bytes('d0d5c3fb2cb3c7cad00acdf5ceb02cb1b1bea9'), '姓名,城市\n王伟,北京'],
    ['in Big5', bytes('a9 6d a6 57 2c ab b0 a5 ab 0a a4 fd b0 b6 2c a5 78 a5 5f'), '姓名,城市\n王偉,台北'],
    ['in EUC-KR', bytes('c0cc b8a7 2cb5 b5bd c30a b1e8 c3b6 bcf6 2cbc adbf ef'), '이름,도시\n김철수,서울'],
    ['in ISO-2022-JP', bytes('1b2442467c4b5c1b2842'), '日本'],
  ])('%s', (_what, given, expected) => {
    expect(decodeText(given, null)).toEqual({ text: expected, hasUnknown: false });
  });

  it('is of the encoding that is declared, where its bytes are', () => {
    expect(decodeText(latin1('\xe4\xee'), 'windows-1251').text).toBe('до');
    expect(decodeText(latin1('K\xf6nig'), 'utf-8').text).toBe('König');
    expect(decodeText(Buffer.from('König'), 'windows-1252').text).toBe('König');
    expect(decodeText(Buffer.from('König'), 'no such encoding').text).toBe('König');
  });

  it('says where bytes of it are no characters', () => {
    const cut = Buffer.concat([
      Buffer.from('Größe, größer, am größten. Übermäßig schön für Ämter.'),
      bytes('e8aa'),
    ]);
    expect(decodeText(cut, null)).toMatchObject({
      hasUnknown: true,
      text: expect.stringContaining('größten'),
    });
  });

  it('is none where it looks like no text', () => {
    expect(() => decodeText(bytes('ff81018d02c303f9'), null)).toThrow('encoding');
  });
});

it.each([
  ['<meta charset="shift_jis">', 'shift_jis'],
  ["<META http-equiv=Content-Type content='text/html; charset=windows-1252'>", 'windows-1252'],
  ['<!-- <meta charset="koi8-r"> --><meta charset=gbk>', 'gbk'],
  ['<?xml version="1.0" encoding="euc-jp"?><html>', 'euc-jp'],
  ['<meta charset="utf-16">', 'utf-8'],
  ['<p>none</p>', null],
])('a page declares its encoding: %s', (page, expected) => {
  expect(charsetOfPage(Buffer.from(page))).toBe(expected);
});

it.each([
  ['text/plain; charset=shift_jis', 'shift_jis'],
  ['text/csv; Charset="windows-1252"', 'windows-1252'],
  ['text/plain', null],
  [null, null],
])('a media type names an encoding: %s', (mediaType, expected) => {
  expect(charsetOfMediaType(mediaType)).toBe(expected);
});
