import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import { isSettled } from '../api/runs.js';
import type { Execution } from '../api/types.js';

const REFRESH_MS = 2_500;
const PAGE = 100;

/** Webhook deliveries of a run: at most 100. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['run', id, 'deliveries'],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/webhook-deliveries/', { params: { query: { execution_id: id, limit: PAGE } }, signal }),
      ),
  });

/** The question of a run, from the messages of its session; null before they are stored. */
export const inputQuery = (run: Execution) =>
  queryOptions({
    queryKey: ['run', run.id, 'input', isSettled(run)],
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<string | null> => {
      if ('input' in run && typeof run.input === 'string') return run.input;
      let cursor: string | null = null;
      for (;;) {
        const query: { limit: number; cursor?: string } = { limit: PAGE };
        if (cursor !== null) query.cursor = cursor;
        const page: MessagePage = await answerOf(
          api.GET('/api/sessions/{uuid}/messages/', {
            params: { path: { uuid: run.session_uuid }, query },
            signal,
          }),
        );
        const found = page.data.find(({ role, execution_id }) => role === 'user' && execution_id === run.id);
        if (found !== undefined) return found.content;
        cursor = page.next_cursor;
        if (cursor === null) return null;
      }
    },
  });

interface MessagePage {
  readonly data: readonly { role: string; execution_id: string | null; content: string }[];
  readonly next_cursor: string | null;
}
