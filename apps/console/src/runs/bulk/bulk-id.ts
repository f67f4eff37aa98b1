import { isSameFilter } from '../saved-filters.js';
import { runsFilterOf, type RunsFilter } from '../runs-filter.js';
import type { BulkAction } from './bulk-action.js';

interface Bulk {
  readonly action: BulkAction;
  readonly filter: RunsFilter;
  /** Beginning of the idempotency keys of all of its requests. */
  readonly id: string;
}

const PLACE = 'capstan.bulk';
/** The service knows an idempotency key for a day. */
const KNOWN_MS = 24 * 60 * 60_000;

/** Id under which the same was begun in this tab and not finished; null without one. */
export function findUnfinished(action: BulkAction, filter: RunsFilter): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as (Bulk & { at: number }) | null;
    if (kept === null || kept.action !== action || Date.now() - kept.at > KNOWN_MS) return null;
    return isSameFilter(runsFilterOf({ ...kept.filter }), filter) ? kept.id : null;
  } catch {
    return null;
  }
}

export function noteBulk(bulk: Bulk): void {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify({ ...bulk, at: Date.now() }));
  } catch {
    // Without it only a page that is loaded anew cannot continue.
  }
}

export function forgetBulk(): void {
  try {
    sessionStorage.removeItem(PLACE);
  } catch {
    // There is nothing kept.
  }
}
