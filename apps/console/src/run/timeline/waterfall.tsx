import { useRef } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { Axis, FoldedStretches } from './axis.js';
import type { Row, Stretch } from './layout.js';
import { COLUMNS, ROW_HEIGHT, WaterfallRow } from './waterfall-row.js';

interface WaterfallProps {
  readonly rows: readonly Row[];
  readonly stretches: readonly Stretch[];
  readonly folded: ReadonlySet<string>;
  readonly openStep: string | null;
  readonly now: number;
  /** Unix time in ms from which times are counted. */
  readonly origin: number;
  /** Shows what lies between two places of the axis, in shares from 0 to 1. */
  readonly onSelect: (one: number, other: number) => void;
  readonly onOpenStep: (key: string) => void;
  readonly onFold: (id: string) => void;
}

/** Bars over time, one row for each entry; only the rows in view are in the page. */
export function Waterfall(props: WaterfallProps) {
  const { rows, stretches, folded, openStep, now, onOpenStep, onFold } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 4,
    // Rows are drawn at once, before the page is laid out and their room is known.
    initialRect: { width: 0, height: innerHeight / 2 },
  });
  const height = virtual.getTotalSize();
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-auto">
      <div className={clsx(COLUMNS, 'sticky top-0 z-10 h-8 border-b border-line bg-surface')}>
        <span />
        <Axis stretches={stretches} origin={props.origin} onSelect={props.onSelect} />
      </div>
      <div className="relative">
        <div aria-hidden className={clsx(COLUMNS, 'absolute inset-0')}>
          <span />
          <svg width="100%" height="100%" className="relative mr-4 w-[calc(100%-1rem)]">
            <FoldedStretches stretches={stretches} height="100%" />
          </svg>
        </div>
        <ol aria-label="Timeline" className="relative" style={{ height }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const { id, stepKey, finishedAt } = row.entry;
            return (
              <WaterfallRow
                key={id}
                entry={row.entry}
                depth={row.depth}
                childCount={row.childCount}
                stretches={stretches}
                top={start}
                isOpen={stepKey !== null && stepKey === openStep}
                isFolded={folded.has(id)}
                now={finishedAt === null ? now : 0}
                onOpenStep={onOpenStep}
                onFold={onFold}
              />
            );
          })}
        </ol>
      </div>
    </div>
  );
}
