import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { answerOf, api } from '../api/client.js';
import { overviewQuery } from '../api/overview.js';
import type { ExecutionSummary } from '../api/types.js';
import { useMissingScope } from '../app/session.js';
import { useNow } from '../ui/now.js';
import { expiredOf } from './expired-of.js';

const DAY_MS = 24 * 60 * 60_000;
const REFRESH_MS = 30_000;
const MOST = 100;

interface InboxCountsProps {
  readonly runs: readonly ExecutionSummary[];
  readonly hasMore: boolean;
}

/** How many runs wait and are past their time; of the last day, runs not decided in time and webhooks given up. */
export function InboxCounts({ runs, hasMore }: InboxCountsProps) {
  const now = useNow();
  const expired = expiredOf(runs, now);
  return (
    <p role="status" className="flex flex-wrap gap-x-3 text-sm text-muted">
      <span>{`${runs.length}${hasMore ? '+' : ''} waiting`}</span>
      {expired > 0 && (
        <span className="text-action">
          <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
          {expired} past their time
        </span>
      )}
      <Undecided />
      <GivenUpWebhooks />
    </p>
  );
}

function Undecided() {
  const { data } = useQuery({ ...overviewQuery('24h'), refetchInterval: REFRESH_MS });
  const count = data?.expired_approvals ?? 0;
  if (count === 0) return null;
  return (
    <span className="text-action" title="Runs of the last 24 hours that a person did not decide in time">
      <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
      {count} not decided in time in 24 h
    </span>
  );
}

function GivenUpWebhooks() {
  const missingScope = useMissingScope('webhooks:write');
  const { data } = useQuery({
    queryKey: ['webhook-deliveries', 'given-up'],
    enabled: missingScope === null,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => {
      const minute = Math.floor(Date.now() / 60_000) * 60_000;
      const query = {
        status: 'exhausted',
        from: new Date(minute - DAY_MS).toISOString(),
        limit: MOST,
      } as const;
      return answerOf(api.GET('/api/webhook-deliveries/', { params: { query }, signal }));
    },
  });
  const count = data?.data.length ?? 0;
  if (count === 0) return null;
  return (
    <span className="text-failed" title="Webhooks of the last 24 hours that are not sent any more">
      <TriangleAlert aria-hidden className="mr-1 inline size-3.5" />
      {data?.has_more === true ? `${count}+` : count} {count === 1 ? 'webhook' : 'webhooks'} given up in 24 h
    </span>
  );
}
