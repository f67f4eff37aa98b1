import { infiniteQueryOptions } from '@tanstack/react-query';
import { problemFrom } from './problem.js';

/** Entry of `GET /api/executions/{id}/timeline/`, as far as the console shows it. */
export interface RecordedEntry {
  readonly id: string;
  readonly kind: 'attempt' | 'model_call' | 'tool_call' | 'approval' | 'wait' | 'webhook_delivery';
  readonly scope: string;
  readonly parent_id: string | null;
  readonly status: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly number?: number;
  readonly worker?: string;
  readonly end_reason?: string | null;
  readonly purpose?: string;
  readonly round?: number | null;
  readonly try_number?: number | null;
  readonly model?: string | null;
  readonly output_tokens?: number | null;
  readonly call?: string;
  readonly tool_name?: string;
  readonly step?: string | null;
  readonly asks?: 'approval' | 'outcome';
  readonly decision?: string | null;
  readonly reason?: string;
  readonly message?: string;
  readonly event_type?: string;
  readonly attempt_count?: number;
}

interface TimelinePage {
  /** Null where the service has no timelines. */
  readonly data: readonly RecordedEntry[] | null;
  readonly next_cursor: string | null;
}

const PAGE = 100;
const REFRESH_MS = 2_500;

/** Recorded timeline of a run, in pages. */
export const timelineQuery = (id: string, isOver: boolean) =>
  infiniteQueryOptions({
    queryKey: ['run', id, 'timeline'],
    queryFn: ({ pageParam, signal }) => readPage(id, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: ({ state }) => {
      if (isOver || state.data?.pages[0]?.data === null) return false;
      return (state.data?.pages.length ?? 0) > 3 ? 4 * REFRESH_MS : REFRESH_MS;
    },
  });

async function readPage(id: string, cursor: string | null, signal: AbortSignal): Promise<TimelinePage> {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) });
  const response = await fetch(`/api/executions/${encodeURIComponent(id)}/timeline/?${query.toString()}`, {
    signal,
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return body as TimelinePage;
  const problem = problemFrom(response.status, body);
  if (problem.code === 'ROUTE_NOT_FOUND') return { data: null, next_cursor: null };
  throw problem;
}
