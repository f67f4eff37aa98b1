import { clsx } from 'clsx';
import { absoluteTime } from '../format/times.js';
import { formatDuration } from '../format/durations.js';
import { useNow } from './now.js';

/** Less time than that is pressing, in ms. */
const SOON_MS = 15 * 60_000;

/** Time that is left until then, by the second; `over` once it has passed. */
export function Countdown({ to, over }: { readonly to: string; readonly over: string }) {
  const left = Date.parse(to) - useNow();
  return (
    <time
      dateTime={to}
      title={absoluteTime(to)}
      className={clsx('whitespace-nowrap', left < SOON_MS && 'font-medium text-action')}
    >
      {left <= 0 ? over : formatDuration(Math.ceil(left / 1000) * 1000)}
    </time>
  );
}
