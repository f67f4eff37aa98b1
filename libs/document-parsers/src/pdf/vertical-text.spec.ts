import { describe, expect, it } from '@jest/globals';
import { aFontPdf, type NumberedFont, type PlacedText } from '../../../../test/support/builders/font-pdf.js';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import { parsePdf } from './parse-pdf.js';

const utf16 = (text: string): string =>
  `<${[...text].map((letter) => letter.charCodeAt(0).toString(16).padStart(4, '0')).join('')}>`;
const VERTICAL = { encoding: 'UniJIS-UTF16-V', ordering: 'Japan1' };
const HORIZONTAL = { encoding: 'UniJIS-UTF16-H', ordering: 'Japan1' };
const COLUMNS = ['吾輩は猫である。', '名前はまだ無い。', 'どこで生れたか、', '「ニャー」と泣いた'];

const rightOf = (column: number): number => 500 - column * 36;
/** A column of text; `index` counts from the right. */
const column = (text: string, index: number, top = 700): PlacedText => ({
  text: utf16(text),
  at: [rightOf(index), top],
});
const glyph = (text: string, index: number, row: number): PlacedText => column(text, index, 700 - row * 24);

async function read(texts: readonly PlacedText[], font: NumberedFont = VERTICAL): Promise<readonly string[]> {
  const { texts: found, warnings } = await readBy(parsePdf, aFontPdf([texts], font));
  expect(warnings).toEqual([]);
  return found.flatMap((text) => text.split('\n').map((line) => line.trim()));
}

describe('vertical text is read column by column from the right', () => {
  it.each<[string, NumberedFont, string]>([
    ['UniJIS-UTF16-V', { ordering: 'Japan1' }, '<65e5672c8a9e3002>'],
    ['UniJIS-UCS2-V', { ordering: 'Japan1' }, '<65e5672c8a9e3002>'],
    ['90ms-RKSJ-V', { ordering: 'Japan1' }, '<93fa967b8cea8142>'],
    ['EUC-V', { ordering: 'Japan1' }, '<c6fccbdcb8eca1a3>'],
    [
      'Identity-V',
      { letters: [1, 2, 3, 4].map((code, at) => [`000${code}`, utf16('日本語︒'[at] ?? '').slice(1, -1)]) },
      '<0001000200030004>',
    ],
  ])('with the map %s, in signs as they are typed', async (encoding, font, codes) => {
    const texts = [0, 1].map((index) => ({ text: codes, at: [rightOf(index), 700] as const }));
    expect(await read(texts, { ...font, encoding })).toEqual(['日本語。', '日本語。']);
  });

  it.each<[string, readonly PlacedText[]]>([
    ['as it is written', COLUMNS.map((text, index) => column(text, index))],
    ['with the columns from the left', COLUMNS.map((text, index) => column(text, index)).toReversed()],
    [
      'row by row',
      Array.from({ length: 9 }, (_, row) =>
        COLUMNS.flatMap((text, index) => (text[row] === undefined ? [] : [glyph(text[row], index, row)])),
      ).flat(),
    ],
    ['in two tiers', COLUMNS.map((text, index) => column(text, index % 2, index < 2 ? 700 : 350))],
    [
      'in two tiers, from the left',
      [1, 0, 3, 2].map((index) => column(COLUMNS[index] ?? '', index % 2, index < 2 ? 700 : 350)),
    ],
  ])('in a file that has it %s', async (_what, texts) => {
    expect(await read(texts)).toEqual(COLUMNS);
  });

  it('with each glyph of a horizontal font by itself, as browsers write it', async () => {
    const texts = COLUMNS.flatMap((text, index) => [...text].map((one, row) => glyph(one, index, row)));
    expect(await read(texts, HORIZONTAL)).toEqual(COLUMNS);
  });

  it('with digits that stand upright and words that lie in a column', async () => {
    const texts = [
      column('平成', 0),
      { text: '12', at: [493, 640], size: 12 } as const,
      column('年に', 0, 628),
      { text: 'Latin', at: [492, 580], turned: true } as const,
      column('を読む', 0, 518),
      column('猫がいた', 1),
    ];
    expect(await read(texts)).toEqual(['平成12年にLatinを読む', '猫がいた']);
  });

  it('beside a heading and a number of the page, in any order', async () => {
    const columns = COLUMNS.map((text, index) => column(text, index)).toReversed();
    const texts = [{ text: '- 3 -', at: [300, 40] } as const, ...columns];
    expect(await read(texts)).toEqual([...COLUMNS, '- 3 -']);
  });

  it('and cells of a table that stand below each other are no column', async () => {
    const texts = ['有', '無', '有'].map((text, row) => column(text, 0, 700 - row * 48));
    expect(await read(texts, HORIZONTAL)).toEqual(['有', '無', '有']);
  });
});
