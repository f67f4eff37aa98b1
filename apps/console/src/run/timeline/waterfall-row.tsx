import { memo } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { clsx } from 'clsx';
import { formatDuration } from '../../format/durations.js';
import { absoluteTime } from '../../format/times.js';
import { BAR_LOOK, fillOf, isThin } from './bar-look.js';
import { isOutside, spanOf, type Stretch } from './layout.js';
import type { TimelineEntry } from './timeline-entry.js';

interface WaterfallRowProps {
  readonly entry: TimelineEntry;
  readonly depth: number;
  readonly childCount: number;
  readonly stretches: readonly Stretch[];
  /** Distance from the top in px. */
  readonly top: number;
  readonly isOpen: boolean;
  readonly isFolded: boolean;
  /** Unix time in ms for an entry that goes on; 0 for others, which are drawn once. */
  readonly now: number;
  readonly onOpenStep: (key: string) => void;
  readonly onFold: (id: string) => void;
}

export const ROW_HEIGHT = 28;
export const COLUMNS = 'grid grid-cols-[9rem_minmax(0,1fr)] md:grid-cols-[16rem_minmax(0,1fr)]';
/** The narrowest bar in px, so that a call of a millisecond is still seen. */
const MIN_BAR = 3;

/** One entry: its name and its bar. Drawn once while the list scrolls. */
export const WaterfallRow = memo(function WaterfallRow(props: WaterfallRowProps) {
  return (
    <li
      style={{ height: ROW_HEIGHT, top: props.top }}
      className={clsx(
        COLUMNS,
        'absolute left-0 w-full items-center contain-content hover:bg-hover',
        props.isOpen && 'bg-accent-soft',
      )}
    >
      <Label {...props} />
      <Bar {...props} />
    </li>
  );
});

function Label({ entry, depth, childCount, isFolded, onFold, onOpenStep }: WaterfallRowProps) {
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
      <Icon aria-label={word} className={clsx('size-3.5 shrink-0', colour)} />
      {stepKey === null ? (
        <span className={clsx('truncate', isFrame(entry) && 'font-medium')}>{words}</span>
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

const isFrame = ({ kind }: TimelineEntry): boolean => kind === 'attempt' || kind === 'step';

function Bar({ entry, stretches, now }: WaterfallRowProps) {
  // A parent of what is in view may lie outside of the window itself.
  if (isOutside(entry, stretches, now)) return null;
  const { left, width } = spanOf(entry, stretches, now);
  const duration = formatDuration((entry.finishedAt ?? now) - entry.startedAt);
  return (
    <div
      className="relative mr-4 h-full"
      title={`${absoluteTime(new Date(entry.startedAt).toISOString())}, ${duration}`}
    >
      <div
        style={{ left: `${left * 100}%`, width: `${width * 100}%`, minWidth: MIN_BAR }}
        className={clsx(
          'absolute rounded-xs',
          isThin(entry) ? 'top-[11px] h-1.5' : 'top-[7px] h-3.5',
          fillOf(entry),
        )}
      />
      <span
        style={labelPlace(left, width)}
        className={clsx(
          'absolute top-1.5 px-1.5 text-xs whitespace-nowrap text-muted',
          isUponBar(left, width) && 'rounded-xs bg-surface',
        )}
      >
        {entry.finishedAt === null && entry.status !== 'skipped' ? `${duration} …` : duration}
      </span>
    </div>
  );
}

/** Beside the bar where there is room: behind it, else before it, else upon its end. */
function labelPlace(left: number, width: number): { left?: string; right?: string } {
  if (isUponBar(left, width)) return { right: '0' };
  const end = left + width;
  return end <= 0.75 ? { left: `${end * 100}%` } : { right: `${(1 - left) * 100}%` };
}

const isUponBar = (left: number, width: number): boolean => left + width > 0.75 && left < 0.25;
