import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.js';

const REFRESH_MS = 4_000;

/** Load and outcomes of the tenant in a window that ends now. */
export const overviewQuery = (window: '1h' | '24h' | '7d') =>
  queryOptions({
    queryKey: ['overview', window],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => answerOf(api.GET('/api/overview/', { params: { query: { window } }, signal })),
  });
