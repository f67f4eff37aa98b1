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
  /** Whether glyphs are on the page that are no letters in the text. */
  readonly hasUnmapped: boolean;
}

/** Reads the pages of one document, one after the other. */
export class PageReader {
  /** Fonts that were found to say which letters their glyphs are. */
  private readonly readableFonts = new Set<string>();
  /** Once a font has failed, all that comes is looked at: it is mentioned once only. */
  private hasFailedFont = false;

  async read(page: Page): Promise<PageText> {
    const { value: items, hasFailed } = await watchFonts(() => itemsOf(page));
    this.hasFailedFont ||= hasFailed;
    const glyphs = this.isTrusted(items) ? null : await glyphsOf(page);
    page.cleanup();
    for (const font of glyphs?.readableFonts ?? []) this.readableFonts.add(font);
    return composeText(items, glyphs);
  }

  /** Whether the text of a page needs no look at its glyphs. */
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

/** Null where they cannot be had: then the text is all that there is. */
async function glyphsOf(page: Page): Promise<PageGlyphs | null> {
  try {
    return (await watchFonts(() => readGlyphs(page))).value;
  } catch {
    return null;
  }
}

/** Pure. */
function composeText(items: readonly PageItem[], glyphs: PageGlyphs | null): PageText {
  const without = fontsWithoutLetters(items, glyphs?.unreadableFonts ?? new Set());
  const known = items.map((item) => (without.has(item.fontName) ? { ...item, str: '' } : item));
  const lines = linesOf(withJoinedLetters(known, glyphs?.letters ?? []));
  const words = countWords(known.map(({ str, hasEOL }) => (hasEOL ? `${str}\n` : str)).join(''));
  const text = lines.map((line) => asTyped(lineText(line, words))).join('\n');
  const isIncomplete = without.size > 0 || glyphs?.hasLostText === true || hasUnmapped(text);
  return { text: withoutUnmapped(text), hasUnmapped: isIncomplete };
}
