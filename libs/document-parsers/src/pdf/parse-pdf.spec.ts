import { describe, expect, it } from '@jest/globals';
import { aFontPdf } from '../../../../test/support/builders/font-pdf.js';
import { aPdf } from '../../../../test/support/builders/pdf.js';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import { parsePdf } from './parse-pdf.js';

const hex = (text: string): string =>
  [...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('');
/** Mapping of glyph codes, from 1, to letters. */
const lettersOf = (...glyphs: readonly string[]) =>
  glyphs.map((glyph, index) => [hex(String.fromCharCode(index + 1)), hex(glyph)] as const);
const codes = (...numbers: readonly number[]): string =>
  `<${numbers.map((number) => hex(String.fromCharCode(number))).join('')}>`;

const MISSING = { code: 'unmapped_glyphs', page_count: 1 };

describe('a PDF whose font is not in the file', () => {
  it.each([
    ['90ms-RKSJ-H', 'Japan1', '<93fa967b8cea>', '日本語'],
    ['GBK-EUC-H', 'GB1', '<d6d0cec4>', '中文'],
    ['ETen-B5-H', 'CNS1', '<a4a4a4e5>', '中文'],
    ['KSCms-UHC-H', 'Korea1', '<c7d1b1db>', '한글'],
    ['UniJIS-UTF16-H', 'Japan1', '<65e5672c>', '日本'],
  ])('has the characters of the map %s', async (encoding, ordering, given, expected) => {
    const { texts, warnings } = await readBy(parsePdf, aFontPdf([[given]], { encoding, ordering }));
    expect(texts.map((text) => text.trim())).toEqual([expected]);
    expect(warnings).toEqual([]);
  });
});

describe('text from right to left stands as it is typed', () => {
  const read = async (texts: readonly string[], ...glyphs: readonly string[]) => {
    const bytes = aFontPdf([texts], { letters: lettersOf(...glyphs) });
    return (await readBy(parsePdf, bytes)).texts.map((text) => text.trim());
  };

  it.each<[string, readonly string[], readonly string[], string]>([
    ['a word of Hebrew', [codes(4, 3, 2, 1)], ['ש', 'ל', 'ו', 'ם'], 'שלום'],
    ['words', [codes(5, 6), ' ', codes(2, 1)], ['א', 'ב', ' ', ' ', 'ג', 'ד'], 'אב דג'],
    ['joined forms of Arabic', [codes(3, 2, 1)], ['\ufeb3', '\ufefc', '\ufee1'], 'سلام'],
    ['a glyph of two letters', [codes(3, 2, 1)], ['م', 'لا', 'ب'], 'ملاب'],
    ['brackets', [codes(3, 2, 1, 4)], ['א', 'ב', '(', ')'], '(אב)'],
  ])('%s', async (_what, texts, glyphs, expected) => {
    expect(await read(texts, ...glyphs)).toEqual([expected]);
  });
});

describe('text that is lost is warned of', () => {
  it('a page without any', async () => {
    const { warnings } = await readBy(parsePdf, aPdf(['First', '', 'Third', '']));
    expect(warnings).toEqual([{ code: 'no_text_on_page', pages: [2, 4], page_count: 2 }]);
  });

  it.each([
    ['of a font that does not say its letters', {}, codes(0x24, 0x25, 3, 0x26)],
    ['of a font that does not say its letters, none of which look odd', {}, codes(0x4b, 0x48, 0x4f)],
    ['of a map that is not known', { encoding: 'No-Such-H', ordering: 'Japan1' }, '<93fa967b>'],
    ['of letters that are private', { letters: [['0001', 'e001']] as const }, codes(1)],
  ])('glyphs %s', async (_what, font, given) => {
    const { texts, warnings } = await readBy(
      parsePdf,
      aFontPdf([['Ref 17'], ['Ref 18', given], ['Ref 19']], font),
    );
    expect(texts.map((text) => text.trim())).toEqual(['Ref 17', 'Ref 18', 'Ref 19']);
    expect(warnings).toEqual([{ ...MISSING, pages: [2] }]);
  });

  it('on each page, also where a font that failed is used again', async () => {
    const font = { encoding: 'No-Such-H', ordering: 'Japan1' };
    const { warnings } = await readBy(parsePdf, aFontPdf([['a', '<93fa>'], ['b'], ['c', '<93fa>']], font));
    expect(warnings).toEqual([{ code: 'unmapped_glyphs', pages: [1, 3], page_count: 2 }]);
  });

  it('and what is known of the same font is read', async () => {
    const bytes = aFontPdf([[codes(1, 2, 3)]], { letters: lettersOf('A', 'B') });
    const { texts, warnings } = await readBy(parsePdf, bytes);
    expect(texts.map((text) => text.trim())).toEqual(['AB']);
    expect(warnings).toEqual([{ ...MISSING, pages: [1] }]);
  });
});
