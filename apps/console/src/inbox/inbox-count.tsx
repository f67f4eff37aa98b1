import { useMatchRoute } from '@tanstack/react-router';
import { useWaitingRuns } from './use-waiting-runs.js';

/**
 * Number of runs that wait for a person, beside the name of the inbox. It is on every screen, and keeps the list current for
 * the inbox as well.
 */
export function InboxCount() {
  const isInboxOpen = useMatchRoute()({ to: '/inbox' }) !== false;
  const { data } = useWaitingRuns(!isInboxOpen);
  const count = data?.data.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="rounded-full bg-action-soft px-1.5 text-xs font-medium text-action">
      {data?.has_more === true ? `${count}+` : count}
      <span className="sr-only"> waiting</span>
    </span>
  );
}
