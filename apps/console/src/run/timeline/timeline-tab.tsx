import { useCallback, useMemo, useState } from 'react';
import type { Execution } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { useNow } from '../../ui/now.js';
import { isSettled } from '../../api/runs.js';
import { withAncestors } from './failed-only.js';
import { layoutOf } from './layout.js';
import type { Timeline } from './use-timeline.js';
import { Waterfall } from './waterfall.js';

interface TimelineTabProps {
  readonly run: Execution;
  readonly timeline: Timeline;
  readonly openStep: string | null;
  readonly onOpenStep: (key: string) => void;
}

export function TimelineTab({ run, timeline, openStep, onOpenStep }: TimelineTabProps) {
  const { entries, progress, error, retry } = timeline;
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [isFailedOnly, setIsFailedOnly] = useState(false);
  const second = useNow();
  const now = isSettled(run) ? 0 : second;
  const shown = useMemo(() => (isFailedOnly ? withAncestors(entries) : entries), [entries, isFailedOnly]);
  const layout = useMemo(() => layoutOf(shown, folded, now), [shown, folded, now]);
  const fold = useCallback((id: string): void => setFolded((before) => toggled(before, id)), []);
  if (progress === 'failed' && entries.length === 0) return <ProblemNotice error={error} onRetry={retry} />;
  if (entries.length === 0) {
    return progress === 'reading' ? null : <Empty title="Nothing has happened yet" />;
  }
  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-3 border-b border-line px-4 text-sm text-muted">
        <span role="status">
          {entries.length.toLocaleString('en-US')} entries
          {progress === 'reading' && ', reading on …'}
        </span>
        {progress === 'failed' && (
          <span className="text-failed">
            The others could not be read.{' '}
            <Button className="h-6 px-2" onClick={retry}>
              Retry
            </Button>
          </span>
        )}
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ target }) => setIsFailedOnly(target.checked)}
            className="size-3.5 accent-accent"
          />
          Failed and unknown only
        </label>
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
          onFold={fold}
        />
      )}
    </>
  );
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}
