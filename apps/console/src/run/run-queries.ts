import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../api/client.js';
import type { RunStep } from '../api/types.js';

const REFRESH_MS = 2_500;
const PAGE = 100;

/** One step of a run, by its key. */
export const stepQuery = (id: string, key: string, isOver: boolean) =>
  queryOptions({
    queryKey: ['run', id, 'step', key, isOver],
    queryFn: async ({ signal }): Promise<RunStep | null> => {
      const params = { path: { id }, query: { call: key } };
      const { data } = await answerOf(api.GET('/api/executions/{id}/steps/', { params, signal }));
      return data[0] ?? null;
    },
    placeholderData: keepPreviousData,
    refetchInterval: isOver ? false : REFRESH_MS,
  });

/** Webhook deliveries of a run: at most 100. */
export const deliveriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook-deliveries', 'of run', id],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET('/api/webhook-deliveries/', { params: { query: { execution_id: id, limit: PAGE } }, signal }),
      ),
  });
