/**
 * Text of a document that is not indexed:
 *
 * - `no_text_on_page`: a page without text, such as a scan
 * - `unmapped_glyphs`: glyphs without a mapping to letters
 * - `truncated`: text beyond a limit, such as that of column names
 */
export const DOCUMENT_WARNING_CODES = ['no_text_on_page', 'unmapped_glyphs', 'truncated'] as const;
export type DocumentWarningCode = (typeof DOCUMENT_WARNING_CODES)[number];

export interface DocumentWarning {
  readonly code: DocumentWarningCode;
  /** Page numbers from 1, ascending, at most the first 100; empty if the document has no pages. */
  readonly pages: readonly number[];
  /** Total number of affected pages. */
  readonly page_count: number;
}

const MAX_PAGES_NAMED = 100;

/** Collects warnings page by page, one per code. */
export class DocumentWarnings {
  private readonly found = new Map<DocumentWarningCode, Set<number>>();

  add(code: DocumentWarningCode, page: number | null = null): void {
    const pages = this.found.get(code) ?? new Set();
    if (page !== null) pages.add(page);
    this.found.set(code, pages);
  }

  /** Ordered by code. */
  list(): readonly DocumentWarning[] {
    return DOCUMENT_WARNING_CODES.flatMap((code) => {
      const pages = this.found.get(code);
      if (pages === undefined) return [];
      const named = [...pages].sort((a, b) => a - b).slice(0, MAX_PAGES_NAMED);
      return [{ code, pages: named, page_count: pages.size }];
    });
  }
}
