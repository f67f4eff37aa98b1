import { describe, expect, it } from '@jest/globals';
import { aFontPdf } from '../../../../test/support/builders/font-pdf.js';
import { readBy } from '../../../../test/support/builders/parsed-document.js';
import { parsePdf } from './parse-pdf.js';

const hex = (code: number): string => code.toString(16).padStart(4, '0');

/** Reads a page with these lines, placed letter by letter from left to right. */
async function read(...shown: readonly string[]): Promise<readonly string[]> {
  const glyphs = [...new Set(shown.join(''))];
  const letters = glyphs.map((glyph, at) => [hex(at + 1), hex(glyph.charCodeAt(0))] as const);
  const page = shown.map((line, index) => ({
    text: `<${[...line].map((letter) => hex(glyphs.indexOf(letter) + 1)).join('')}>`,
    at: [50, 700 - index * 40] as const,
    size: 12,
  }));
  const { texts } = await readBy(parsePdf, aFontPdf([page], { letters }));
  return texts.flatMap((text) => text.split('\n').map((line) => line.trim()));
}

const HEBREW = 'רתאל םיאבה םיכורבו םלוכל םולש';
const ENGLISH = 'Please call the shop some morning';

describe('words from right to left among others stand as people type them', () => {
  it.each<[string, string, string]>([
    ['a number of a telephone before a Latin word', 'WhatsApp 03-1234567 ןופלט', 'טלפון 03-1234567 WhatsApp'],
    ['the same in brackets', '(WhatsApp) 03-1234567 :ןופלט', 'טלפון: 03-1234567 (WhatsApp)'],
    ['a number that belongs to a name', 'Windows 11 םע בשחמ', 'מחשב עם Windows 11'],
    ['more Latin words than others', 'םיטרפל Google Cloud Platform האר', 'ראה Google Cloud Platform לפרטים'],
    ['Latin words at both ends', 'Waze תא התנק Google', 'Google קנתה את Waze'],
    ['an address of mail', 'םיטרפל info@example.com ל"אוד', 'דוא"ל info@example.com לפרטים'],
    ['a date and a number', '12/05/2026 םוימ 4711 רפסמ הנמזה', 'הזמנה מספר 4711 מיום 12/05/2026'],
    ['Arabic with its digits', 'لاير ١٢٣٤ رعسلا', 'السعر ١٢٣٤ ريال'],
    ['Arabic with Latin', 'WhatsApp 01-2345678 فتاهلا مقر', 'رقم الهاتف 01-2345678 WhatsApp'],
  ])('on a page from right to left: %s', async (_what, shown, typed) => {
    expect((await read(HEBREW, shown))[1]).toBe(typed);
  });

  it.each<[string, string, string]>([
    ['words', 'Please call ןהכ ינד today', 'Please call דני כהן today'],
    ['words with a comma', 'Order 12 ינד לש, room 5', 'Order 12 של דני, room 5'],
    ['words at the end', 'Contact: ןהכ ינד', 'Contact: דני כהן'],
    ['a whole line', '12 לצרה בוחר', 'רחוב הרצל 12'],
  ])('on a page from left to right: %s', async (_what, shown, typed) => {
    expect((await read(ENGLISH, shown))[1]).toBe(typed);
  });

  it('without other lines', async () => {
    expect(await read('WhatsApp 03-1234567 ןופלט')).toEqual(['טלפון 03-1234567 WhatsApp']);
  });
});
