import { asTyped } from './compatibility-forms.js';
import { watchFonts } from './font-failures.js';
import { withJoinedLetters } from './joined-letters.js';
import { readGlyphs, type Page, type PageGlyphs } from './page-glyphs.js';
import { RIGHT_TO_LEFT, type PageItem } from './page-item.js';
import { linesOf } from './page-lines.js';
import { countWords, lineText } from './reading-order.js';
import { fontsWithoutLetters, hasUnmapped, withoutUnmapped } from './unmapped-characters.js';

export interface PageText {
  readonly text: string;
  /** True if the page has glyphs without letters. */
  readonly hasUnmapped: boolean;
}

/** Reads the pages of one document in order. */
export class PageReader {
  /** Fonts known to map glyphs to letters. */
  private readonly readableFonts = new Set<string>();
  /** After a font failure all later pages are checked by glyphs, because the library reports a font once only. */
  private hasFailedFont = false;

  async read(page: Page): Promise<PageText> {
    const { value: items, hasFailed } = await watchFonts(() => itemsOf(page));
    this.hasFailedFont ||= hasFailed;
    const glyphs = this.isTrusted(items) ? null : await glyphsOf(page);
    page.cleanup();
    for (const font of glyphs?.readableFonts ?? []) this.readableFonts.add(font);
    return composeText(items, glyphs);
  }

  /** True if the text of a page needs no check of its glyphs. */
  private isTrusted(items: readonly PageItem[]): boolean {
    if (this.hasFailedFont) return false;
    const text = items.map(({ str }) => str).join('');
    if (hasUnmapped(text) || RIGHT_TO_LEFT.test(text)) return false;
    return items.every(({ str, fontName }) => str.trim() === '' || this.readableFonts.has(fontName));
  }
}

async function itemsOf(page: Page): Promise<readonly PageItem[]> {
  const { items } = await page.getTextContent({ disableNormalization: true });
  return items.filter((item) => 'str' in item);
}

/** Null if the glyphs are unavailable; the text is then used alone. */
async function glyphsOf(page: Page): Promise<PageGlyphs | null> {
  try {
    return (await watchFonts(() => readGlyphs(page))).value;
  } catch {
    return null;
  }
}

function composeText(items: readonly PageItem[], glyphs: PageGlyphs | null): PageText {
  const without = fontsWithoutLetters(items, glyphs?.unreadableFonts ?? new Set());
  const known = items.map((item) => (without.has(item.fontName) ? { ...item, str: '' } : item));
  const lines = linesOf(withJoinedLetters(known, glyphs?.letters ?? []));
  const words = countWords(known.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
  const text = lines.map((line) => asTyped(lineText(line, words))).join('\n');
  const isIncomplete = without.size > 0 || glyphs?.hasLostText === true || hasUnmapped(text);
  return { text: withoutUnmapped(text), hasUnmapped: isIncomplete };
}
