import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aFontPdf, type NumberedFont, type PlacedText } from '../../support/builders/font-pdf.js';
import { DocumentService, type Giver } from './document-service.js';

const hex = (code: number): string => code.toString(16).padStart(4, '0');
const utf16 = (text: string): string => `<${[...text].map((letter) => hex(letter.charCodeAt(0))).join('')}>`;
const JAPANESE: NumberedFont = { encoding: 'UniJIS-UTF16-V', ordering: 'Japan1' };
const CHINESE: NumberedFont = { encoding: 'UniGB-UTF16-H', ordering: 'GB1' };

/** A page on which these lines stand as a reader sees them, letter by letter from left to right. */
function asShown(...lines: readonly string[]): Buffer {
  const glyphs = [...new Set(lines.join(''))];
  const letters = glyphs.map((glyph, at) => [hex(at + 1), hex(glyph.charCodeAt(0))] as const);
  const texts = lines.map((line, index) => ({
    text: `<${[...line].map((letter) => hex(glyphs.indexOf(letter) + 1)).join('')}>`,
    ...{ at: [50, 700 - index * 40] as const, size: 12 },
  }));
  return aFontPdf([texts], { letters });
}

const columns = (...texts: readonly string[]): readonly PlacedText[] =>
  texts.map((text, index) => ({ text: utf16(text), at: [500 - index * 36, 700] }));

const GIVEN: Readonly<Record<string, Buffer>> = {
  'ja.pdf': aFontPdf([columns('返品は三十日以', '内に受け付けま', 'す。送料は無料')], JAPANESE),
  'zh.pdf': aFontPdf([[utf16('退货政策：请在七天内联系客服')]], CHINESE),
  'ar.pdf': asShown('ةيبرعلا طوطخلا عاونأ', 'WhatsApp 01-2345678 فتاهلا مقر'),
  'he.pdf': asShown('רתאל םיאבה םיכורבו םלוכל םולש', 'WhatsApp 03-1234567 ןופלט'),
  'en.pdf': aFontPdf([['Parcels go out at noon.'], [], ['Boxes are blue.']]),
};

describe('PDFs in the scripts of the world, read by a worker', () => {
  let service: DocumentService;
  let giver: Giver;
  beforeAll(async () => {
    service = await DocumentService.open('postgres', { WORKER_ROLES: 'execute,housekeeping,ingest' });
    await service.startWorker();
    giver = await service.addGiver('giver');
    for (const [name, bytes] of Object.entries(GIVEN)) {
      const { body } = await service.give(giver, name, bytes);
      expect(await service.ended(giver, body.id)).toMatchObject({ state: 'ready', error_code: null });
    }
  });
  afterAll(() => service.close());

  it.each([
    ['a Japanese word of a vertical text', '送料', 'ja.pdf', '送料は無料'],
    ['a Japanese word that goes on in the next column', '以内', 'ja.pdf', '返品は三十日以'],
    ['a Japanese question', '返品は受け付けますか', 'ja.pdf', '返品は三十日以'],
    ['Chinese', '退货', 'zh.pdf', '退货政策'],
    ['Arabic', 'الخطوط العربية', 'ar.pdf', 'أنواع الخطوط العربية'],
    ['Arabic without its small letters', 'انواع', 'ar.pdf', 'أنواع الخطوط العربية'],
    ['Arabic with a number', 'هاتف 01-2345678', 'ar.pdf', 'رقم الهاتف 01-2345678 WhatsApp'],
    ['Hebrew', 'טלפון', 'he.pdf', 'טלפון 03-1234567 WhatsApp'],
    ['Hebrew with points', 'שָׁלוֹם', 'he.pdf', 'שלום לכולם'],
    ['a number of a Hebrew page', '03-1234567', 'he.pdf', 'טלפון 03-1234567 WhatsApp'],
  ])('are found by what people type: %s', async (_what, question, title, text) => {
    expect(await service.search(giver, question)).toMatchObject({
      hits: [{ title, text: expect.stringContaining(text), warnings: [] }],
    });
  });

  it('say in the answer of a search which pages no search finds', async () => {
    const warnings = [{ code: 'no_text_on_page', pages: [2], page_count: 1 }];
    expect(await service.search(giver, 'boxes')).toMatchObject({ hits: [{ title: 'en.pdf', warnings }] });
  });
});
