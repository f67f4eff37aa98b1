import type { SaveOrUpdateOrderDraftParams } from './order-draft.schema.js';

/**
 * Why lines that claim to be ready cannot be ordered, one sentence each, written for the model; empty when all can.
 * Lines marked `todo` go to a person and may hold anything.
 */
export function findUnusableLines(
  params: SaveOrUpdateOrderDraftParams,
  knownItemNums: ReadonlySet<string>,
): readonly string[] {
  return params.order_info.flatMap((item, index) => {
    if (item.status !== 'success') return [];
    const line = `line ${index + 1}`;
    const unknown = `${line}: item_num "${item.item_num}" is not in the catalogue; use one from search_items or mark it todo`;
    const worthless = `${line}: quantity ${item.quantity} is not above 0; correct it or mark it todo`;
    return [
      ...(knownItemNums.has(item.item_num) ? [] : [unknown]),
      ...(item.quantity > 0 ? [] : [worthless]),
    ];
  });
}
