import { useEffect, useMemo, useState } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { timelineQuery } from '../../api/timeline.js';
import type { Execution } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { useNow } from '../../ui/now.js';
import { isSettled } from '../../api/runs.js';
import { layoutOf } from './layout.js';
import type { TimelineEntry } from './timeline-entry.js';
import { timelineOf } from './timeline-of.js';
import { Waterfall } from './waterfall.js';

interface TimelineTabProps {
  readonly run: Execution;
  readonly openStep: string | null;
  readonly onOpenStep: (key: string) => void;
}

/** Up to so many entries are read without being asked for; then a button reads on. */
const READ_AT_ONCE = 1000;

export function TimelineTab({ run, openStep, onOpenStep }: TimelineTabProps) {
  const recorded = useInfiniteQuery(timelineQuery(run.id, isSettled(run)));
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [isFailedOnly, setIsFailedOnly] = useState(false);
  const second = useNow();
  const now = isSettled(run) ? 0 : second;
  const pages = recorded.data?.pages;
  const entries = useMemo(() => timelineOf(pages?.flatMap(({ data }) => data) ?? []), [pages]);
  const shown = useMemo(() => (isFailedOnly ? withParents(entries) : entries), [entries, isFailedOnly]);
  const layout = useMemo(() => layoutOf(shown, folded, now), [shown, folded, now]);
  useReadOn(recorded, entries.length);
  if (recorded.isPending) return null;
  if (recorded.isError && entries.length === 0) {
    return <ProblemNotice error={recorded.error} onRetry={() => void recorded.refetch()} />;
  }
  if (entries.length === 0) return <Empty title="Nothing has happened yet" />;
  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-4 text-sm text-muted">
        <span>{entries.length} entries</span>
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ target }) => setIsFailedOnly(target.checked)}
            className="size-3.5 accent-accent"
          />
          Failed and unknown only
        </label>
        {recorded.hasNextPage && (
          <Button
            className="h-6 px-2"
            disabled={recorded.isFetchingNextPage}
            onClick={() => void recorded.fetchNextPage()}
          >
            Read more
          </Button>
        )}
      </div>
      {layout.rows.length === 0 ? (
        <Empty title="Nothing failed here" />
      ) : (
        <Waterfall
          layout={layout}
          folded={folded}
          openStep={openStep}
          now={now}
          onOpenStep={onOpenStep}
          onFold={(id) => setFolded((before) => toggled(before, id))}
        />
      )}
    </>
  );
}

function useReadOn(
  query: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isError: boolean;
    fetchNextPage: () => unknown;
  },
  count: number,
): void {
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && count < READ_AT_ONCE) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, count, fetchNextPage]);
}

/** Entries that failed or are unknown, with their ancestors. */
function withParents(entries: readonly TimelineEntry[]): TimelineEntry[] {
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

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
