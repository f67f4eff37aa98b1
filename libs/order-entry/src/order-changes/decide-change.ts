import { canonicalJson } from '#libs/kernel';
import type { BodyFault } from '#libs/tooling';
import type { OrderEntryPayload } from '../order-draft/order-entry-payload.js';
import { findUnreadyLines } from './unready-lines.js';

/** What a person changes; what is absent stays. */
export interface OrderRequestPatch {
  readonly items?: OrderEntryPayload['items'];
  readonly isSaved?: boolean;
}

export type ChangeDecision =
  | { readonly kind: 'changed'; readonly payload: OrderEntryPayload }
  | { readonly kind: 'unchanged' }
  /** Confirmed it would be ordered as it stands, and it cannot be. */
  | { readonly kind: 'not_ready'; readonly faults: readonly BodyFault[] };

/**
 * The order request as a person wants it. Only a person sets `isSaved` (S2-13), and what they have confirmed can be
 * ordered: whatever a change leaves confirmed has to be ready line by line.
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

/** Each at the line that was sent; where none was, at what confirms those that are there. */
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
  return canonicalJson(before) === canonicalJson(after);
}
