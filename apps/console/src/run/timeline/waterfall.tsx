import { useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { formatDuration } from '../../format/durations.js';
import { absoluteTime } from '../../format/times.js';
import { cn } from '../../ui/class-names.js';
import { Axis, FoldedStretches } from './axis.js';
import { BAR_LOOK, fillOf } from './bar-look.js';
import type { Layout, Row } from './layout.js';

interface WaterfallProps {
  readonly layout: Layout;
  readonly folded: ReadonlySet<string>;
  readonly openStep: string | null;
  readonly now: number;
  readonly onOpenStep: (key: string) => void;
  readonly onFold: (id: string) => void;
}

const ROW_HEIGHT = 28;
const COLUMNS = 'grid grid-cols-[9rem_minmax(0,1fr)] md:grid-cols-[16rem_minmax(0,1fr)]';
/** The narrowest bar in px, so that a call of a millisecond is still seen. */
const MIN_BAR = 3;

/** Bars over time, one row for each entry; only the rows in view are in the page. */
export function Waterfall(props: WaterfallProps) {
  const { layout } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: layout.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <div className={cn(COLUMNS, 'sticky top-0 z-10 h-8 border-b border-line bg-surface')}>
        <span />
        <Axis stretches={layout.stretches} />
      </div>
      <ol aria-label="Timeline" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = layout.rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={row.entry.id}
              style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              className={cn(
                COLUMNS,
                'absolute top-0 left-0 w-full items-center hover:bg-hover',
                row.entry.stepKey !== null && row.entry.stepKey === props.openStep && 'bg-accent-soft',
              )}
            >
              <Label row={row} {...props} />
              <Bar row={row} {...props} />
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Label({
  row: { entry, depth, childCount },
  folded,
  onFold,
  onOpenStep,
}: WaterfallProps & { row: Row }) {
  const isFolded = folded.has(entry.id);
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  const { icon: Icon, colour, word } = BAR_LOOK[entry.status];
  const { stepKey } = entry;
  const words = (
    <>
      {entry.label}
      {entry.detail !== '' && <span className="ml-1.5 text-muted">{entry.detail}</span>}
    </>
  );
  return (
    <div className="flex h-full min-w-0 items-center gap-1 pl-2" title={`${entry.label} ${entry.detail}`}>
      <span style={{ width: depth * 14 }} className="shrink-0" />
      {childCount > 0 ? (
        <button
          type="button"
          aria-expanded={!isFolded}
          aria-label={`${childCount} inside`}
          onClick={() => onFold(entry.id)}
          className="size-5 shrink-0 rounded text-muted hover:text-ink"
        >
          <Chevron aria-hidden className="mx-auto size-3.5" />
        </button>
      ) : (
        <span className="w-5 shrink-0" />
      )}
      <Icon aria-label={word} className={cn('size-3.5 shrink-0', colour)} />
      {stepKey === null ? (
        <span className={cn('truncate', entry.kind === 'attempt' && 'font-medium')}>{words}</span>
      ) : (
        <button
          type="button"
          className="truncate text-left hover:underline"
          onClick={() => onOpenStep(stepKey)}
        >
          {words}
        </button>
      )}
    </div>
  );
}

function Bar({ row: { entry, left, width }, layout, now }: WaterfallProps & { row: Row }) {
  const duration = formatDuration((entry.finishedAt ?? now) - entry.startedAt);
  const isThin = entry.kind === 'attempt' || entry.kind === 'wait' || entry.kind === 'approval';
  const isLate = left + width > 0.75;
  const fill = fillOf(entry);
  return (
    <div
      className="relative mr-4 h-full"
      title={`${absoluteTime(new Date(entry.startedAt).toISOString())}, ${duration}`}
    >
      <svg aria-hidden width="100%" height={ROW_HEIGHT} className="absolute inset-0 overflow-visible">
        <FoldedStretches stretches={layout.stretches} height={ROW_HEIGHT} />
        <rect
          x={`${left * 100}%`}
          y={isThin ? 11 : 7}
          width={`${width * 100}%`}
          height={isThin ? 6 : 14}
          rx={2}
          className={fill}
        />
        {width === 0 || width * 1000 < MIN_BAR ? (
          <rect
            x={`${left * 100}%`}
            y={isThin ? 11 : 7}
            width={MIN_BAR}
            height={isThin ? 6 : 14}
            rx={1}
            className={fill}
          />
        ) : null}
      </svg>
      <span
        style={isLate ? { right: `${(1 - left) * 100}%` } : { left: `${(left + width) * 100}%` }}
        className="absolute top-1.5 px-1.5 text-xs whitespace-nowrap text-muted"
      >
        {entry.finishedAt === null && entry.status !== 'skipped' ? `${duration} …` : duration}
      </span>
    </div>
  );
}
