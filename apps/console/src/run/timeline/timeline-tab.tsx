import { useCallback, useMemo, useState } from 'react';
import type { Execution } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { Empty, ProblemNotice } from '../../ui/notice.js';
import { useNow } from '../../ui/now.js';
import { isSettled } from '../../api/runs.js';
import { isFailed, withAncestors } from './failed-only.js';
import { rowsOf, stretchesOf, type TimeRange } from './layout.js';
import { withStepLanes } from './step-lanes.js';
import type { Timeline } from './use-timeline.js';
import { Waterfall } from './waterfall.js';
import { isWithin, moved, rangeBetween, wholeRange, zoomedIn, zoomedOut } from './zoom.js';
import { ZoomButtons } from './zoom-buttons.js';

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
  const [range, setRange] = useState<TimeRange | null>(null);
  const all = useMemo(() => withStepLanes(entries), [entries]);
  const shown = useMemo(() => {
    const failed = isFailedOnly ? withAncestors(all, isFailed) : all;
    return range === null ? failed : withAncestors(failed, (entry) => isWithin(entry, range));
  }, [all, isFailedOnly, range]);
  // Each second moves only the end of the axis: the rows stay as they are.
  const rows = useMemo(() => rowsOf(shown, folded), [shown, folded]);
  const whole = useMemo(() => wholeRange(entries, now), [entries, now]);
  const stretches = useMemo(() => stretchesOf(shown, now, range), [shown, now, range]);
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
        <ZoomButtons
          isZoomed={range !== null}
          onZoomIn={() => setRange(zoomedIn(stretches) ?? range)}
          onZoomOut={() => setRange(range && zoomedOut(range, whole))}
          onShowAll={() => setRange(null)}
          onMove={(direction) => setRange(range && moved(range, direction, whole))}
        />
        <label className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={isFailedOnly}
            onChange={({ target }) => setIsFailedOnly(target.checked)}
            className="size-3.5"
          />
          Failed and unknown only
        </label>
      </div>
      {rows.length === 0 ? (
        <Empty title={isFailedOnly ? 'Nothing failed here' : 'Nothing happened in this time'} />
      ) : (
        <Waterfall
          rows={rows}
          stretches={stretches}
          folded={folded}
          openStep={openStep}
          now={now}
          origin={whole.from}
          onSelect={(one, other) => setRange(rangeBetween(one, other, stretches) ?? range)}
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
