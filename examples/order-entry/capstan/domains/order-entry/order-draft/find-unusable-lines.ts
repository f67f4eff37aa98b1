import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.ts';

/** A line marked ready that cannot be ordered. */
export interface UnusableLine {
  /** Number of the line, from 1. */
  readonly line: number;
  readonly reason: string;
  /** Advice for the model. */
  readonly advice: string;
}

/** Lines marked ready that cannot be ordered, one entry a fault. Lines marked `todo` go to a person and are not checked. */
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
