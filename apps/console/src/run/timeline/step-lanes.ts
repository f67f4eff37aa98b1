import type { EntryStatus, TimelineEntry } from './timeline-entry.js';

/** The gravest state of several calls comes first. */
const BY_WEIGHT: readonly EntryStatus[] = [
  ...(['running', 'waiting', 'failed', 'unknown', 'succeeded', 'skipped'] as const),
];

/** Adds a lane for each step of a pipeline that makes several calls, and puts these below it. Pure. */
export function withStepLanes(entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const byStep = Map.groupBy(
    entries.filter(({ madeBy }) => madeBy !== null),
    laneIdOf,
  );
  const lanes = [...byStep].filter(([, calls]) => calls.length > 1).map(([id, calls]) => laneOf(id, calls));
  if (lanes.length === 0) return entries;
  const ids = new Set(lanes.map(({ id }) => id));
  const moved = entries.map((entry) => {
    const id = laneIdOf(entry);
    return ids.has(id) ? { ...entry, parentId: id } : entry;
  });
  return [...lanes, ...moved];
}

const laneIdOf = ({ madeBy }: TimelineEntry): string =>
  madeBy === null ? '' : `step-${madeBy.scope}:${madeBy.name}`;

/** A step is what its last try is; an earlier one that failed was made good, or was not. */
function laneOf(id: string, calls: readonly TimelineEntry[]): TimelineEntry {
  const lastRound = Math.max(...calls.map(roundOf));
  const lastTry = calls.filter((call) => roundOf(call) === lastRound);
  const status = BY_WEIGHT.find((each) => lastTry.some((call) => call.status === each)) ?? 'unknown';
  const isOpen = status === 'running' || status === 'waiting';
  const tries = new Set(calls.map(roundOf)).size;
  return {
    id,
    kind: 'step',
    parentId: calls[0]?.parentId ?? null,
    label: calls[0]?.madeBy?.name ?? '',
    detail: [lastTry.length > 1 ? `${lastTry.length} calls` : null, tries > 1 ? `${tries} tries` : null]
      .filter((part) => part !== null)
      .join(' · '),
    status,
    startedAt: Math.min(...calls.map(({ startedAt }) => startedAt)),
    finishedAt: isOpen ? null : Math.max(...calls.map((call) => call.finishedAt ?? call.startedAt)),
    stepKey: null,
    madeBy: null,
  };
}

const roundOf = ({ madeBy }: TimelineEntry): number => madeBy?.round ?? 0;
