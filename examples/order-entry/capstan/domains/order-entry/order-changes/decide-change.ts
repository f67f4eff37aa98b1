import { isDeepStrictEqual } from 'node:util';
import type { RefusalOptions } from 'capstan/kit';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.ts';
import { findUnreadyLines } from './unready-lines.ts';

type BodyFault = NonNullable<RefusalOptions['faults']>[number];

/** Fields that a person changes; omitted ones stay unchanged. */
export interface OrderRequestPatch {
  readonly items?: OrderEntryPayload['items'];
  readonly isSaved?: boolean;
}

export type ChangeDecision =
  | { readonly kind: 'changed'; readonly payload: OrderEntryPayload }
  | { readonly kind: 'unchanged' }
  /** The order would be confirmed with lines that cannot be ordered. */
  | { readonly kind: 'not_ready'; readonly faults: readonly BodyFault[] };

/**
 * Applies a person's change. Only a person sets `isSaved`, and a confirmed order must be ready line by line, so each
 * change that leaves it confirmed is validated.
 */
export function decideChange(
  before: OrderEntryPayload,
  patch: OrderRequestPatch,
  knownItemNums: ReadonlySet<string>,
): ChangeDecision {
  const payload: OrderEntryPayload = {
    items: patch.items ?? before.items,
    isSaved: patch.isSaved ?? before.isSaved,
  };
  const faults = payload.isSaved ? faultsOf(payload, patch, knownItemNums) : [];
  if (faults.length > 0) return { kind: 'not_ready', faults };
  return isSame(before, payload) ? { kind: 'unchanged' } : { kind: 'changed', payload };
}

/** Faults at the submitted lines; without submitted lines, at the confirmation. */
function faultsOf(
  { items }: OrderEntryPayload,
  patch: OrderRequestPatch,
  knownItemNums: ReadonlySet<string>,
): BodyFault[] {
  const at = patch.items === undefined ? 'is_saved' : 'items';
  if (items.length === 0) return [{ path: [at], detail: 'cannot be confirmed: there are no lines' }];
  return findUnreadyLines(items, knownItemNums).map(({ index, field, reason }) =>
    patch.items === undefined
      ? { path: ['is_saved'], detail: `cannot be confirmed: ${field} of line ${index + 1} ${reason}` }
      : { path: ['items', index, field], detail: reason },
  );
}

function isSame(before: OrderEntryPayload, after: OrderEntryPayload): boolean {
  return isDeepStrictEqual(before, after);
}
