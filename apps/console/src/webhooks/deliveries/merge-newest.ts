import type { WebhookDelivery } from '../../api/types.js';

interface MergedDeliveries {
  /** Rows of the list, newest first, each in its latest known state. */
  readonly rows: readonly WebhookDelivery[];
  /** Deliveries that are newer than the list, newest first. */
  readonly fresh: readonly WebhookDelivery[];
  /** True when there may be more new deliveries than are known, between `fresh` and `rows`. */
  readonly hasGap: boolean;
}

/**
 * Puts newer states into the rows that are shown already without moving any, and keeps deliveries that came since apart, so
 * that nothing jumps under the pointer. Pure.
 * @param pages rows as they were read, newest first
 * @param head the newest deliveries as they are now, newest first
 * @param isHeadCut whether there are more deliveries behind `head`
 */
export function mergeNewest(
  pages: readonly WebhookDelivery[],
  head: readonly WebhookDelivery[],
  isHeadCut: boolean,
): MergedDeliveries {
  const latest = new Map(head.map((delivery) => [delivery.id, delivery]));
  const shown = new Set(pages.map(({ id }) => id));
  const newest = pages[0]?.created_at ?? '';
  const fresh = head.filter(({ id, created_at: at }) => !shown.has(id) && at >= newest);
  return {
    rows: pages.map((delivery) => latest.get(delivery.id) ?? delivery),
    fresh,
    hasGap: isHeadCut && fresh.length > 0 && fresh.length === head.length,
  };
}
