import type { OrderEntryPayloadItem } from '../order-draft/order-entry-payload.ts';

type EvaluatedLine = Pick<OrderEntryPayloadItem, 'status' | 'item_num' | 'quantity'>;

/** A fault that prevents a line from being ordered. */
export interface UnreadyLine {
  /** Index of the line, from 0. */
  readonly index: number;
  readonly field: 'status' | 'item_num' | 'quantity';
  readonly reason: string;
}

/** Faults that prevent lines from being ordered; empty if all can be ordered. */
export function findUnreadyLines(
  items: readonly EvaluatedLine[],
  knownItemNums: ReadonlySet<string>,
): readonly UnreadyLine[] {
  return items.flatMap(({ status, item_num, quantity }, index): UnreadyLine[] => [
    ...(status === 'success'
      ? []
      : [
          {
            index,
            field: 'status' as const,
            reason: 'must be "success": a person has to decide over it first',
          },
        ]),
    ...(knownItemNums.has(item_num)
      ? []
      : [{ index, field: 'item_num' as const, reason: 'must be an item of the catalogue' }]),
    ...(quantity > 0 ? [] : [{ index, field: 'quantity' as const, reason: 'must be above 0' }]),
  ]);
}
