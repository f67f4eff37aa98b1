const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Duration in ms as people say it, with two units at most: `340 ms`, `1.4 s`, `2 min 05 s`, `3 d 4 h`. Pure. */
export function formatDuration(ms: number): string {
  if (ms < 0) return '0 ms';
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${padded((ms % MINUTE) / SECOND)} s`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${padded((ms % HOUR) / MINUTE)} min`;
  return `${Math.floor(ms / DAY)} d ${Math.floor((ms % DAY) / HOUR)} h`;
}

interface Timed {
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

/** Time from the start to the end, or to `now` while it is not over, in ms; null before the start. Pure. */
export function durationOf({ started_at, finished_at }: Timed, now: number): number | null {
  if (started_at === null) return null;
  return Math.max(0, (finished_at === null ? now : Date.parse(finished_at)) - Date.parse(started_at));
}

const padded = (value: number): string => String(Math.floor(value)).padStart(2, '0');
