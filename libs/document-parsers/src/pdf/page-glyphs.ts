import { getResolvedPDFJS, type getDocumentProxy } from 'unpdf';

export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** Glyphs of a page, with their fonts. */
export interface PageGlyphs {
  /** Letters of each glyph in file order, without blanks. */
  readonly letters: readonly string[];
  /** Fonts with a mapping from glyphs to letters. */
  readonly readableFonts: ReadonlySet<string>;
  /** Fonts without such a mapping; their text consists of glyph numbers. */
  readonly unreadableFonts: ReadonlySet<string>;
  /** True if the page has glyphs of an unreadable font. */
  readonly hasLostText: boolean;
}

/** The known fields of the PDF library's font objects. */
interface Font {
  readonly composite?: boolean;
  readonly isType3Font?: boolean;
  readonly toUnicode?: { readonly firstChar?: number; readonly _map?: readonly unknown[] };
}

/** Reads glyphs, which takes about as long as reading the text. Images are not decoded. */
export async function readGlyphs(page: Page): Promise<PageGlyphs> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const letters: string[] = [];
  const readableFonts = new Set<string>();
  const unreadableFonts = new Set<string>();
  let hasLostText = false;
  let font: { readonly name: string; readonly isRead: boolean } = { name: '', isRead: true };
  for (const [index, operator] of fnArray.entries()) {
    const [first] = (argsArray[index] ?? []) as readonly unknown[];
    if (operator === OPS.setFont && typeof first === 'string') {
      const found = fontOf(page, first);
      font = { name: first, isRead: found !== null };
      if (found !== null) (isIdentity(found) ? unreadableFonts : readableFonts).add(first);
    }
    if (operator !== OPS.showText || !Array.isArray(first)) continue;
    if (!font.isRead) hasLostText = true;
    for (const glyph of first as readonly (number | { readonly unicode?: string } | null)[]) {
      const unicode = typeof glyph === 'object' ? (glyph?.unicode ?? '') : '';
      if (unicode.trim() !== '') letters.push(unicode);
    }
  }
  return { letters, readableFonts, unreadableFonts, hasLostText };
}

/** Null if the font is unreadable. */
function fontOf(page: Page, name: string): Font | null {
  try {
    const found: unknown = page.commonObjs.get(name);
    return typeof found === 'object' && !(found instanceof Error) ? found : null;
  } catch {
    return null;
  }
}

/** True for a font of numbered glyphs without a mapping to letters; the library returns the numbers as text. */
function isIdentity({ composite = false, isType3Font = false, toUnicode }: Font): boolean {
  return composite && !isType3Font && toUnicode?.firstChar !== undefined;
}
