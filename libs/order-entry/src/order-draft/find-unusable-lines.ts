import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.js';

/** A line that claims to be ready and cannot be ordered. */
export interface UnusableLine {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
  /** What a model can do about it. */
  readonly advice: string;
}

/**
 * The lines that claim to be ready and cannot be ordered, a reason each; empty when all can. Lines marked `todo` go to a
 * person and may hold anything.
 */
export function findUnusableLines(
  params: SaveOrUpdateOrderDraftParams,
  knownItemNums: ReadonlySet<string>,
): readonly UnusableLine[] {
  return params.order_info.flatMap((item, index) => {
    if (item.status !== 'success') return [];
    const line = index + 1;
    const unknown = {
      line,
      reason: `item_num "${item.item_num}" is not in the catalogue`,
      advice: 'use one from search_items or mark it todo',
    };
    const worthless = {
      line,
      reason: `quantity ${item.quantity} is not above 0`,
      advice: 'correct it or mark it todo',
    };
    return [
      ...(knownItemNums.has(item.item_num) ? [] : [unknown]),
      ...(item.quantity > 0 ? [] : [worthless]),
    ];
  });
}
