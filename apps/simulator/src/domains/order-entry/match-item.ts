import type { OrderLine } from './order-line.js';
import type { FoundItem } from './tool-results.js';

/** Result of matching a line against the search results. */
export type ItemMatch =
  | { readonly kind: 'sure'; readonly item: FoundItem }
  /** The only close match, but misspelt or shortened. */
  | { readonly kind: 'weak'; readonly item: FoundItem }
  /** Several matches with close scores; the best one is used for now. */
  | { readonly kind: 'ambiguous'; readonly item: FoundItem; readonly others: readonly FoundItem[] }
  /** No match; `nearest` is the best result, if any. */
  | { readonly kind: 'none'; readonly nearest: FoundItem | null }
  | { readonly kind: 'search_failed' };

const SURE = 0.9;
const WEAKEST = 0.6;
/** Minimum difference of scores that separates two items. */
const GAP = 0.05;
const EXACT = 1;

/** Finds the item that a line names; `found` is null when the search failed. */
export function matchItem(line: OrderLine, found: readonly FoundItem[] | null): ItemMatch {
  if (found === null) return { kind: 'search_failed' };
  const byCode = found.find((item) => line.code !== null && foldCode(item.item_num) === foldCode(line.code));
  if (byCode !== undefined) return { kind: 'sure', item: byCode };
  const [best] = found;
  if (best === undefined || best.score < WEAKEST) return { kind: 'none', nearest: best ?? null };
  const rivals = found.slice(1).filter((item) => best.score - item.score < GAP);
  if (rivals.length > 0 && best.score < EXACT) return { kind: 'ambiguous', item: best, others: rivals };
  return best.score >= SURE ? { kind: 'sure', item: best } : { kind: 'weak', item: best };
}

/** Folds letters that are easily misread as digits. */
function foldCode(code: string): string {
  return code
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
}
