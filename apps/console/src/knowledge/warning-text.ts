import type { DocumentWarning } from '../api/types.js';

const WORDS: Readonly<Record<DocumentWarning['code'], string>> = {
  no_text_on_page: 'No text, such as on scans',
  unmapped_glyphs: 'Characters whose letters the file does not name',
  truncated: 'More text than is read of one thing',
};

/** A warning in words, with the pages that it is about. Pure. */
export function warningText({ code, pages, page_count: count }: DocumentWarning): string {
  if (pages.length === 0) return count === 0 ? WORDS[code] : `${WORDS[code]}: ${pagesOf(count)}`;
  const hidden = Math.max(0, count - pages.length);
  const shown = `${count === 1 ? 'page' : 'pages'} ${pageRanges(pages)}`;
  return `${WORDS[code]}: ${shown}${hidden === 0 ? '' : ` and ${hidden} more`}`;
}

/** Page numbers as people write them: `1, 3–5`. Pure. @param pages ascending */
export function pageRanges(pages: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === page - 1) range[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

const pagesOf = (count: number): string => `${count} ${count === 1 ? 'page' : 'pages'}`;
