import type { DraftDoubt } from './clerk-words.js';
import { describeDoubt } from './clerk-words.js';
import { matchItem, type ItemMatch } from './match-item.js';
import type { Language, OrderLine, ReadOrder, Uom } from './order-line.js';
import type { FoundItem } from './tool-results.js';

/** A line for `save_order_draft`. */
export interface DraftLine {
  readonly item_num: string;
  readonly quantity: number;
  readonly pack_size: string | null;
  readonly uom: Uom;
  readonly remark: string | null;
  readonly original_text: string;
  readonly status: 'success' | 'todo';
  readonly help_request_message: string | null;
  readonly confidence: 'high' | 'medium' | 'low';
}

/** A line with its search results; null when the search failed. */
export interface SearchedLine {
  readonly line: OrderLine;
  readonly found: readonly FoundItem[] | null;
}

/** Drafts every line of an order from its search results. Doubtful lines are `todo`, with a question for a person. */
export function draftLines(order: ReadOrder, searched: readonly SearchedLine[]): readonly DraftLine[] {
  return searched.map(({ line, found }) => draftLine(line, matchItem(line, found), order.language));
}

function draftLine(line: OrderLine, match: ItemMatch, language: Language): DraftLine {
  const item = itemOf(match);
  const uom = line.uom === '' && line.doubts.length === 0 ? soldBy(item) : line.uom;
  const doubts = [...doubtsAboutItem(match), ...line.doubts, ...doubtsAboutUnit(line, item)];
  const isGuessed = match.kind === 'weak' || uom !== line.uom;
  return {
    item_num: item?.item_num ?? '',
    quantity: line.quantity,
    pack_size: item?.pack_size ?? line.pack,
    uom,
    remark: line.remark,
    original_text: line.originalText,
    status: doubts.length === 0 ? 'success' : 'todo',
    help_request_message:
      doubts.length === 0 ? null : doubts.map((doubt) => describeDoubt(doubt, language)).join(' '),
    confidence: doubts.length > 0 ? 'low' : isGuessed ? 'medium' : 'high',
  };
}

function itemOf(match: ItemMatch): FoundItem | null {
  return 'item' in match ? match.item : null;
}

function doubtsAboutItem(match: ItemMatch): readonly DraftDoubt[] {
  switch (match.kind) {
    case 'sure':
    case 'weak':
      return [];
    case 'ambiguous':
      return [{ kind: 'ambiguous_item', candidates: [match.item, ...match.others] }];
    case 'none':
      return [{ kind: 'no_item', nearest: match.nearest }];
    case 'search_failed':
      return [{ kind: 'search_failed' }];
  }
}

function doubtsAboutUnit(line: OrderLine, item: FoundItem | null): readonly DraftDoubt[] {
  const sold = soldBy(item);
  return sold === '' || line.uom === '' || line.uom === sold
    ? []
    : [{ kind: 'other_unit', asked: line.uom, sold }];
}

function soldBy(item: FoundItem | null): Uom {
  const uom = item?.uom ?? '';
  return uom === 'CS' || uom === 'Ea' || uom === 'Lbs' ? uom : '';
}
