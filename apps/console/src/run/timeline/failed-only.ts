import type { TimelineEntry } from './timeline-entry.js';

/** Entries that failed or are unknown, with their ancestors. Pure. */
export function withAncestors(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const kept = new Set<string>();
  for (const entry of entries.filter(({ status }) => status === 'failed' || status === 'unknown')) {
    for (let at: TimelineEntry | undefined = entry; at !== undefined && !kept.has(at.id);) {
      kept.add(at.id);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
  }
  return entries.filter(({ id }) => kept.has(id));
}
