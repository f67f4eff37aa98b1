import { useRef } from 'react';
import { clsx } from 'clsx';
import { formatDuration } from '../../format/durations.js';
import { useWidth } from '../../ui/width.js';
import type { Stretch } from './layout.js';
import { SpanSelect } from './span-select.js';

/** Least distance of two labels in px. */
const MIN_DISTANCE = 88;

interface AxisProps {
  readonly stretches: readonly Stretch[];
  /** Unix time in ms from which times are counted. */
  readonly origin: number;
  /** Shows what lies between two places of the axis, in shares from 0 to 1. */
  readonly onSelect: (one: number, other: number) => void;
}

/** Times since the beginning, at the start of each open stretch and between; folded stretches say how long they were. */
export function Axis({ stretches, origin, onSelect }: AxisProps) {
  const axis = useRef<HTMLDivElement>(null);
  const distance = MIN_DISTANCE / Math.max(MIN_DISTANCE, useWidth(axis));
  return (
    <div ref={axis} className="relative mr-4 h-full text-xs text-muted">
      <svg aria-hidden width="100%" height={32} className="absolute inset-0 overflow-visible">
        <FoldedStretches stretches={stretches} height={32} />
      </svg>
      {ticksOf(stretches, origin, distance).map(({ at, text }) => {
        // The last label stands on the left of its line.
        const isLast = isAtEnd(at, distance);
        return (
          <span
            key={at}
            style={isLast ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` }}
            className={clsx(
              'absolute top-0 h-full border-line px-1 pt-2 whitespace-nowrap',
              isLast ? 'border-r' : 'border-l',
            )}
          >
            {text}
          </span>
        );
      })}
      <SpanSelect onSelect={onSelect} />
    </div>
  );
}

/** Bands where time was folded. */
export function FoldedStretches({
  stretches,
  height,
}: {
  stretches: readonly Stretch[];
  height: number | string;
}) {
  return stretches
    .filter(({ isFolded }) => isFolded)
    .map(({ from, to, left, width }) => (
      <rect
        key={from}
        x={`${left * 100}%`}
        width={`${width * 100}%`}
        y={0}
        height={height}
        className="fill-sunken stroke-line"
      >
        <title>{`${formatDuration(to - from)} in which nothing ran`}</title>
      </rect>
    ));
}

const isAtEnd = (at: number, distance: number): boolean => at > 1 - distance / 2;

function ticksOf(
  stretches: readonly Stretch[],
  origin: number,
  distance: number,
): { at: number; text: string }[] {
  const ticks: { at: number; text: string }[] = [];
  let free = 0;
  const add = (at: number, text: string): void => {
    const begin = isAtEnd(at, distance) ? at - distance : at;
    if (begin < free) return;
    ticks.push({ at, text });
    free = at + distance;
  };
  for (const { from, to, left, width, isFolded } of stretches) {
    if (isFolded) {
      add(left, `+${formatDuration(to - from)}`);
      continue;
    }
    const count = Math.max(1, Math.floor(width / Math.max(0.2, distance)));
    for (let index = 0; index < count; index += 1) {
      const share = index / count;
      add(left + share * width, formatDuration(from + share * (to - from) - origin));
    }
  }
  return ticks;
}
