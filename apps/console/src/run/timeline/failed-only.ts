import type { TimelineEntry } from './timeline-entry.js';

export const isFailed = ({ status }: TimelineEntry): boolean => status === 'failed' || status === 'unknown';

/** Entries that are meant, with their ancestors. Pure. */
export function withAncestors(
  entries: readonly TimelineEntry[],
  isMeant: (entry: TimelineEntry) => boolean,
): TimelineEntry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const kept = new Set<string>();
  for (const entry of entries.filter(isMeant)) {
    for (let at: TimelineEntry | undefined = entry; at !== undefined && !kept.has(at.id);) {
      kept.add(at.id);
      at = at.parentId === null ? undefined : byId.get(at.parentId);
    }
  }
  return entries.filter(({ id }) => kept.has(id));
}
