import { absoluteTime, relativeTime } from '../format/times.js';
import { durationOf, formatDuration } from '../format/durations.js';
import { useNow } from './now.js';

/** A time as its distance from now, with the absolute time as hint. */
export function Time({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={absoluteTime(at)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}

/** Time that something has taken, which grows while it is not over; a dash before the start. */
export function Duration({ of }: { readonly of: { started_at: string | null; finished_at: string | null } }) {
  const now = useNow();
  const duration = durationOf(of, now);
  return <span className="whitespace-nowrap">{duration === null ? '–' : formatDuration(duration)}</span>;
}
