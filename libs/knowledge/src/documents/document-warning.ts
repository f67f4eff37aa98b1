/**
 * Text of a document that no search finds:
 *
 * - `no_text_on_page`: a page without text, such as a scan
 * - `unmapped_glyphs`: characters that the file does not say the letters of
 * - `truncated`: more than is read of one thing, such as the names of columns
 */
export const DOCUMENT_WARNING_CODES = ['no_text_on_page', 'unmapped_glyphs', 'truncated'] as const;
export type DocumentWarningCode = (typeof DOCUMENT_WARNING_CODES)[number];

export interface DocumentWarning {
  readonly code: DocumentWarningCode;
  /** From 1, ascending: the first 100 at most; none where the document has no pages. */
  readonly pages: readonly number[];
  /** How many pages there are in all. */
  readonly page_count: number;
}

const MAX_PAGES_NAMED = 100;

/** Collects what is found of a document, page by page: one warning for each code. */
export class DocumentWarnings {
  private readonly found = new Map<DocumentWarningCode, Set<number>>();

  add(code: DocumentWarningCode, page: number | null = null): void {
    const pages = this.found.get(code) ?? new Set();
    if (page !== null) pages.add(page);
    this.found.set(code, pages);
  }

  /** In the order of their codes. */
  list(): readonly DocumentWarning[] {
    return DOCUMENT_WARNING_CODES.flatMap((code) => {
      const pages = this.found.get(code);
      if (pages === undefined) return [];
      const named = [...pages].sort((a, b) => a - b).slice(0, MAX_PAGES_NAMED);
      return [{ code, pages: named, page_count: pages.size }];
    });
  }
}
