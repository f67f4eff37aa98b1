import { formatDuration } from '../../format/durations.js';
import { cn } from '../../ui/class-names.js';
import type { Stretch } from './layout.js';

/** Least distance of two labels, as a share of the axis. */
const MIN_DISTANCE = 0.11;
/** Behind this share of the axis a label stands on the left of its line. */
const LAST_ON_RIGHT = 0.9;

/** Times since the beginning, at the start of each open stretch and between; folded stretches say how long they were. */
export function Axis({ stretches }: { readonly stretches: readonly Stretch[] }) {
  return (
    <div className="relative mr-4 h-full text-xs text-muted">
      <svg aria-hidden width="100%" height={32} className="absolute inset-0 overflow-visible">
        <FoldedStretches stretches={stretches} height={32} />
      </svg>
      {ticksOf(stretches).map(({ at, text }) => (
        <span
          key={at}
          style={at > LAST_ON_RIGHT ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%` }}
          className={cn(
            'absolute top-0 h-full border-line px-1 pt-2 whitespace-nowrap',
            at > LAST_ON_RIGHT ? 'border-r' : 'border-l',
          )}
        >
          {text}
        </span>
      ))}
    </div>
  );
}

/** Bands where time was folded. */
export function FoldedStretches({ stretches, height }: { stretches: readonly Stretch[]; height: number }) {
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

function ticksOf(stretches: readonly Stretch[]): { at: number; text: string }[] {
  const [first] = stretches;
  if (first === undefined) return [];
  const ticks: { at: number; text: string }[] = [];
  let free = 0;
  const add = (at: number, text: string): void => {
    if (at < free) return;
    ticks.push({ at, text });
    free = at + MIN_DISTANCE;
  };
  for (const { from, to, left, width, isFolded } of stretches) {
    if (isFolded) {
      add(left, `+${formatDuration(to - from)}`);
      continue;
    }
    const count = Math.max(1, Math.floor(width / 0.2));
    for (let index = 0; index < count; index += 1) {
      const share = index / count;
      add(left + share * width, formatDuration(from + share * (to - from) - first.from));
    }
  }
  return ticks;
}
