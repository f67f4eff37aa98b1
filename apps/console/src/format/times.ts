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
  if (distance >= 0) return far < 5_000 ? 'just now' : `${roughly(far)} ago`;
  return `in ${roughly(far)}`;
}

/** Time of day with ms, for entries of one run. Pure. */
export function clockTime(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
}

/** Day and time in the zone of the reader, with the zone. Pure. */
export function absoluteTime(time: string): string {
  return new Date(time).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
  });
}

function roughly(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / 1000)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < 48 * HOUR) return `${Math.floor(ms / HOUR)} h`;
  return formatDuration(ms).split(' ').slice(0, 2).join(' ');
}
