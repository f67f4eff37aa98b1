import { formatDuration } from './durations.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 7 * 24 * HOUR;

/**
 * How long ago a time was, or how far ahead it is; beyond a week the day itself. Pure.
 * @param time ISO 8601
 * @param now Unix time in ms
 */
export function relativeTime(time: string, now: number): string {
  const distance = now - Date.parse(time);
  const far = Math.abs(distance);
  if (Number.isNaN(far)) return time;
  if (far > WEEK) return time.slice(0, 10);
  // The clock of the page may be a little behind that of the service.
  if (distance > -1_000 && distance < 5_000) return 'just now';
  if (distance > 0) return `${roughly(far)} ago`;
  return `in ${roughly(far)}`;
}

/** Made once: to make a formatter takes longer than all that one row of a list needs otherwise. */
const CLOCK = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** Time of day with ms, in the zone of the reader, for entries of one run. */
export function clockTime(time: string): string {
  return CLOCK.format(new Date(time));
}

/** Day and time in the zone of the reader, with the zone. */
export function absoluteTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : DAY_AND_TIME.format(date);
}

function roughly(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 48 * HOUR) return `${Math.floor(ms / HOUR)} h`;
  return formatDuration(ms).split(' ').slice(0, 2).join(' ');
}
