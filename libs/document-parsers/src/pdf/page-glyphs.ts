import { getResolvedPDFJS, type getDocumentProxy } from 'unpdf';

/** A page of an open document. */
export type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** The glyphs of a page, and whether their letters are known. */
export interface PageGlyphs {
  /** Letters of each glyph in the order of the file, without blanks. */
  readonly letters: readonly string[];
  /** Fonts of the page that say which letters their glyphs are. */
  readonly readableFonts: ReadonlySet<string>;
  /** Fonts that do not: what is read of them are numbers of glyphs. */
  readonly unreadableFonts: ReadonlySet<string>;
  /** Whether glyphs of a font that could not be read at all are on the page. */
  readonly hasLostText: boolean;
}

/** A font as the reader of PDF answers it, as far as it is known. */
interface Font {
  readonly composite?: boolean;
  readonly isType3Font?: boolean;
  readonly toUnicode?: { readonly firstChar?: number; readonly _map?: readonly unknown[] };
}

/** Looks at the glyphs themselves, which costs about as much as the text. Pictures are not decoded. */
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

/** Null where the font could not be read. */
function fontOf(page: Page, name: string): Font | null {
  try {
    const found: unknown = page.commonObjs.get(name);
    return typeof found === 'object' && !(found instanceof Error) ? found : null;
  } catch {
    return null;
  }
}

/** A font of numbered glyphs that does not say which letters they are: numbers are taken for letters. */
function isIdentity({ composite = false, isType3Font = false, toUnicode }: Font): boolean {
  return composite && !isType3Font && toUnicode?.firstChar !== undefined;
}
